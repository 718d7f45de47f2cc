// Folds the lines of a transcript into what a list needs to know. Lists are read from thousands of files, so
// most lines are passed over without being parsed.
import { type Frame, parseFrame } from '../frames/frame.ts';
import { topLevelString, topLevelType } from '../frames/top-level-fields.ts';
import type { SessionFacts } from './session-record.ts';
import { shorten } from './session-title.ts';
import { commandOf, isSidechain, promptOf, readLine } from './transcript-line.ts';

/** A fact of which the last line that tells it counts. */
export type TellingFact = 'customTitle' | 'aiTitle' | 'summary' | 'tag' | 'lastPrompt' | 'costUsd';

/** The lines that tell them: their type, the fact, and the field of the line that holds it. */
export const tellingLines: ReadonlyMap<string, { readonly fact: TellingFact; readonly field: string }> =
  new Map([
    ['custom-title', { fact: 'customTitle', field: 'customTitle' }],
    ['ai-title', { fact: 'aiTitle', field: 'aiTitle' }],
    ['summary', { fact: 'summary', field: 'summary' }],
    ['tag', { fact: 'tag', field: 'tag' }],
    ['last-prompt', { fact: 'lastPrompt', field: 'lastPrompt' }],
    ['cost-state', { fact: 'costUsd', field: 'totalCostUSD' }],
    ['result', { fact: 'costUsd', field: 'total_cost_usd' }],
  ]);

/**
 * Up to this size a line is parsed rather than walked through: a first list is read by code that has not run
 * before, in which native parsing is fast at once and a loop over bytes is not.
 */
const PARSED_LINE = 8 * 1024;
/** In how many lines, from the last one on, a branch is looked for. */
const BRANCH_TRIES = 8;

const NEWLINE = 0x0a;

/** Takes one line of any kind. Lines must come in their order. */
export function foldLine(facts: SessionFacts, line: Buffer): void {
  if (!hasBeginning(facts)) foldBeginningLine(facts, line);
  const type = topLevelType(line);
  if (type !== undefined && tellingLines.has(type)) foldTelling(facts, line);
}

/** Takes whole lines, each looked at in full. */
export function foldLines(facts: SessionFacts, lines: Buffer): void {
  let start = 0;
  for (let end = lines.indexOf(NEWLINE); end !== -1; end = lines.indexOf(NEWLINE, start)) {
    foldLine(facts, lines.subarray(start, end));
    start = end + 1;
  }
  facts.gitBranch = lastBranch(lines) ?? facts.gitBranch;
}

/**
 * Walks the first lines until the beginning of the conversation is known. Returns the offset of the first line
 * that was not looked at.
 */
export function foldBeginning(facts: SessionFacts, block: Buffer, from: number): number {
  let start = from;
  while (!hasBeginning(facts)) {
    const newline = block.indexOf(NEWLINE, start);
    if (newline === -1) break;
    foldBeginningLine(facts, block.subarray(start, newline));
    start = newline + 1;
  }
  return start;
}

export function hasBeginning(facts: SessionFacts): boolean {
  return facts.isSidechain === true || facts.firstPrompt !== undefined;
}

/** Notes the time of the last prompt among these lines. */
export function foldPrompts(facts: SessionFacts, lines: Buffer): void {
  let start = 0;
  for (let end = lines.indexOf(NEWLINE); end !== -1; end = lines.indexOf(NEWLINE, start)) {
    const frame =
      topLevelType(lines, start, end) === 'user' ? parseFrame(lines.subarray(start, end)) : undefined;
    if (frame?.kind === 'user' && promptOf(frame) !== undefined) facts.lastPromptAt = frame.body.timestamp;
    start = end + 1;
  }
}

function foldBeginningLine(facts: SessionFacts, line: Buffer): void {
  if (line.length > PARSED_LINE && topLevelType(line) !== 'user') return;
  const frame = parseFrame(line);
  if (!frame) return;
  const { timestamp, cwd } = frame.body;
  if (typeof timestamp === 'string') facts.createdAt ??= timestamp;
  if (typeof cwd === 'string') facts.cwd ??= cwd;
  if (frame.kind !== 'user' && frame.kind !== 'assistant') return;
  facts.isSidechain ??= isSidechain(frame);
  if (frame.kind === 'user') foldUser(facts, frame);
}

/** Takes a line of a telling type, also a damaged one. Returns whether it told something. */
export function foldTelling(facts: SessionFacts, line: Buffer): boolean {
  let told = false;
  for (const { body } of readLine(line).frames)
    told = foldTellingBody(facts, body as Readonly<Record<string, unknown>>) || told;
  return told;
}

export function foldTellingBody(facts: SessionFacts, body: Readonly<Record<string, unknown>>): boolean {
  const telling = tellingLines.get(String(body['type']));
  if (!telling) return false;
  const value = body[telling.field];
  if (telling.fact === 'costUsd') {
    if (typeof value !== 'number') return false;
    facts.costUsd = value;
    return true;
  }
  if (typeof value !== 'string') return false;
  facts[telling.fact] = shorten(value);
  return true;
}

function foldUser(facts: SessionFacts, frame: Extract<Frame, { kind: 'user' }>): void {
  if (isSidechain(frame)) return;
  if (frame.uuid !== undefined) facts.firstUserMessageUuid ??= frame.uuid;
  facts.gitBranch ??= frame.body.gitBranch;
  const prompt = promptOf(frame);
  if (prompt === undefined) {
    const command = commandOf(frame);
    if (command !== undefined) facts.firstCommand ??= shorten(command);
    return;
  }
  facts.firstPrompt ??= shorten(prompt);
}

/** The branch in the last line of the conversation that is found among these lines. */
export function lastBranch(lines: Buffer): string | undefined {
  let end = lines.length - 1;
  for (let tries = 0; end > 0 && tries < BRANCH_TRIES; tries += 1) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    const branch = topLevelString(lines, 'gitBranch', start, end);
    if (branch !== undefined) return branch;
    end = start - 1;
  }
  return undefined;
}
