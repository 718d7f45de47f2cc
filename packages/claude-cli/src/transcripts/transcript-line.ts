// One line of a transcript. Recognizes damaged lines (and repairs them if that is simple), and distinguishes what a
// person typed from what the program wrote on their behalf.
import type { ContentBlock } from '../frames/bodies.ts';
import { type Frame, parseFrame } from '../frames/frame.ts';
import { isBlank } from '../frames/frame-reader.ts';
import { commandIn, isEcho, isInterruption } from '../frames/program-tags.ts';
import { endOfValue } from '../frames/top-level-fields.ts';

/**
 * What a crash or a full disk leaves behind. `nul`: filled with zero bytes; `fused`: several objects on one line;
 * `torn`: incomplete at the end of the file; `invalid`: anything else that is not a JSON object.
 */
export type Damage = 'nul' | 'fused' | 'torn' | 'invalid' | 'overlong';

export type DamageCounts = Record<Damage, number>;

export interface ReadLine {
  /** Usually one. More if fused objects could be split, none if nothing could be recovered. */
  readonly frames: readonly Frame[];
  readonly damage: Damage | undefined;
}

export function noDamage(): DamageCounts {
  return { nul: 0, fused: 0, torn: 0, invalid: 0, overlong: 0 };
}

export function readLine(bytes: Buffer, terminated = true): ReadLine {
  const frame = parseFrame(bytes);
  if (frame) return { frames: [frame], damage: undefined };
  if (isBlank(bytes)) return { frames: [], damage: undefined };
  if (!terminated) return { frames: [], damage: 'torn' };
  if (bytes.includes(0)) return { frames: afterNuls(bytes), damage: 'nul' };
  const split = splitFused(bytes);
  return split ? { frames: split, damage: 'fused' } : { frames: [], damage: 'invalid' };
}

export function isSidechain(frame: Frame): boolean {
  return 'isSidechain' in frame.body && frame.body.isSidechain === true;
}

export function isMeta(frame: Frame): boolean {
  return 'isMeta' in frame.body && frame.body.isMeta === true;
}

/** Whether a line records a command, its output, or context that the program added, not a person's prompt. */
export function isCommandEcho(frame: Frame): boolean {
  if (frame.kind === 'system') return typeof frame.body.content === 'string' && isEcho(frame.body.content);
  const texts = userTexts(frame);
  return texts.length > 0 && texts.every(isEcho);
}

/** What a person typed, or undefined if the line is not a person's prompt. */
export function promptOf(frame: Frame): string | undefined {
  if (!mayBePrompt(frame)) return undefined;
  const typed = userTexts(frame).find((text) => text.trim() !== '' && !isEcho(text) && !isInterruption(text));
  return typed?.trim();
}

/** The command in a command echo, such as `/model opus`, or `! ls` for a shell command. */
export function commandOf(frame: Frame): string | undefined {
  if (!mayBePrompt(frame)) return undefined;
  return commandIn(userTexts(frame).join('\n\n'));
}

export interface SpokenMessage {
  readonly role: 'user' | 'assistant';
  /** When it was written, in milliseconds; 0 if the line doesn't say. */
  readonly at: number;
  readonly text: string;
}

/** What a person or the model said in a line, without tools and thoughts. */
export function messageOf(frame: Frame): SpokenMessage | undefined {
  if ((frame.kind !== 'user' && frame.kind !== 'assistant') || isMeta(frame)) return undefined;
  const { message, timestamp = '' } = frame.body;
  const texts = typeof message.content === 'string' ? [message.content] : message.content.flatMap(textOf);
  return { role: frame.kind, at: Date.parse(timestamp) || 0, text: texts.join('\n') };
}

/** A person's or the model's part of the conversation itself, without subagents and summaries. Fast for other lines. */
export function messageIn(line: Buffer): SpokenMessage | undefined {
  if (!mayBeSpoken(line)) return undefined;
  const frame = parseFrame(line);
  const message = frame && !isAside(frame) ? messageOf(frame) : undefined;
  return message?.text.trim() ? message : undefined;
}

/** Most lines are results of tools, which are not worth parsing. */
function mayBeSpoken(line: Buffer): boolean {
  if (line.includes('"type":"text"')) return true;
  return line.includes('"type":"user"') && !line.includes('"type":"tool_result"');
}

/** Not a part of the conversation: added by the program, said by or to a subagent, or a summary. */
function isAside(frame: Frame): boolean {
  if (isMeta(frame) || isSidechain(frame)) return true;
  return frame.kind === 'user' && (frame.body.isCompactSummary === true || frame.body.isSynthetic === true);
}

function mayBePrompt(frame: Frame): boolean {
  if (frame.kind !== 'user' || isAside(frame)) return false;
  const { content } = frame.body.message;
  return typeof content === 'string' || !content.some((block) => block.type === 'tool_result');
}

function userTexts(frame: Frame): string[] {
  if (frame.kind !== 'user') return [];
  const { content } = frame.body.message;
  return typeof content === 'string' ? [content] : content.flatMap(textOf);
}

function textOf(block: ContentBlock): string[] {
  return block.type === 'text' && block.text ? [block.text] : [];
}

/** After a run of zero bytes, a complete line may follow. */
function afterNuls(bytes: Buffer): Frame[] {
  const start = bytes.findIndex((byte) => byte !== 0);
  const frame = start > 0 ? parseFrame(bytes.subarray(start)) : undefined;
  return frame ? [frame] : [];
}

function splitFused(bytes: Buffer): Frame[] | undefined {
  const frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes[at] === 0x7b ? endOfValue(bytes, at) : -1;
    const frame = end === -1 ? undefined : parseFrame(bytes.subarray(at, end));
    if (!frame) return undefined;
    frames.push(frame);
    at = end;
  }
  return frames;
}
