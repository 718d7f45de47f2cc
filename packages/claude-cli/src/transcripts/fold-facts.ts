// Folds the lines of a transcript, in their order, into what a list needs to know. Most lines say nothing new
// and are never parsed: one pass over a whole block finds those that may.
import { type Frame, parseFrame } from '../frames/frame.ts';
import { topLevelStrings } from '../frames/top-level-fields.ts';
import type { SessionFacts } from './session-record.ts';
import { shorten } from './session-title.ts';
import { commandOf, isSidechain, promptOf, readLine } from './transcript-line.ts';

/**
 * Strings that occur, as whole JSON strings, in the lines that carry titles and costs. Finding one only makes
 * a line worth parsing; the parsed line decides.
 */
const telling = /"(?:custom-title|ai-title|summary|tag|agent-name|last-prompt|cost-state|total_cost_usd)"/g;

/** Takes one line that may be of any kind. */
export function foldLine(facts: SessionFacts, line: Buffer): void {
  for (const frame of readLine(line).frames) foldFrame(facts, frame);
}

/**
 * Walks the first lines until the beginning of the conversation is known. Returns the offset of the first line
 * that was not looked at.
 */
export function foldBeginning(facts: SessionFacts, block: Buffer, from: number): number {
  let start = from;
  while (!hasBeginning(facts)) {
    const newline = block.indexOf(0x0a, start);
    if (newline === -1) break;
    foldBeginningLine(facts, block.subarray(start, newline));
    start = newline + 1;
  }
  return start;
}

export function hasBeginning(facts: SessionFacts): boolean {
  return facts.isSidechain === true || facts.firstPrompt !== undefined;
}

/** Takes from whole lines what any of them may change later on: titles, tags, cost, branch. */
export function foldLater(facts: SessionFacts, lines: Buffer): void {
  if (lines.length === 0) return;
  // Latin-1 keeps one character per byte, so that positions in the text are positions in the buffer.
  const text = lines.toString('latin1');
  telling.lastIndex = 0;
  for (let match = telling.exec(text); match; match = telling.exec(text)) {
    const start = text.lastIndexOf('\n', match.index) + 1;
    const end = endOfLine(text, match.index);
    foldLine(facts, lines.subarray(start, end));
    telling.lastIndex = end;
  }
  const branch = lastBranch(lines, text);
  if (branch !== undefined) facts.gitBranch = branch;
}

/** Whether foldLine could learn anything from a line of this type. */
export function isTellingType(type: string | undefined): boolean {
  return type !== undefined && (type === 'user' || type === 'result' || tellingTypes.has(type));
}

const tellingTypes = new Set([
  'custom-title',
  'ai-title',
  'summary',
  'tag',
  'agent-name',
  'last-prompt',
  'cost-state',
]);

function foldBeginningLine(facts: SessionFacts, line: Buffer): void {
  const [type, timestamp, cwd] = topLevelStrings(line, ['type', 'timestamp', 'cwd']);
  if (facts.createdAt === undefined && timestamp !== undefined) facts.createdAt = timestamp;
  if (facts.cwd === undefined && cwd !== undefined) facts.cwd = cwd;
  if (type !== 'user' && type !== 'assistant') return;
  const frame = type === 'user' || facts.isSidechain === undefined ? parseFrame(line) : undefined;
  if (!frame) return;
  facts.isSidechain ??= isSidechain(frame);
  foldFrame(facts, frame);
}

function foldFrame(facts: SessionFacts, frame: Frame): void {
  switch (frame.kind) {
    case 'user':
      foldUser(facts, frame);
      return;
    case 'custom_title':
      facts.customTitle = shorten(frame.body.customTitle);
      return;
    case 'ai_title':
      facts.aiTitle = shorten(frame.body.aiTitle);
      return;
    case 'summary':
      facts.summary = shorten(frame.body.summary);
      return;
    case 'tag':
      facts.tag = shorten(frame.body.tag);
      return;
    case 'agent_name':
      facts.agentName = shorten(frame.body.agentName);
      return;
    case 'result':
      if (typeof frame.body.total_cost_usd === 'number') facts.costUsd = frame.body.total_cost_usd;
      return;
    case 'unknown':
      foldUnknown(facts, frame.body);
      return;
    default:
      return;
  }
}

function foldUser(facts: SessionFacts, frame: Extract<Frame, { kind: 'user' }>): void {
  if (isSidechain(frame)) return;
  if (frame.uuid !== undefined) facts.firstUserMessageUuid ??= frame.uuid;
  const prompt = promptOf(frame);
  if (prompt === undefined) {
    const command = commandOf(frame);
    if (command !== undefined) facts.firstCommand ??= shorten(command);
    return;
  }
  facts.firstPrompt ??= shorten(prompt);
  if (frame.body.timestamp !== undefined) facts.lastPromptAt = frame.body.timestamp;
}

/** Lines of the program that have no typed view, because only the index reads them. */
function foldUnknown(facts: SessionFacts, body: Readonly<Record<string, unknown>>): void {
  const { type, lastPrompt, totalCostUSD } = body;
  if (type === 'last-prompt' && typeof lastPrompt === 'string') facts.lastPrompt = shorten(lastPrompt);
  if (type === 'cost-state' && typeof totalCostUSD === 'number') facts.costUsd = totalCostUSD;
}

function lastBranch(lines: Buffer, text: string): string | undefined {
  const found = text.lastIndexOf('"gitBranch"');
  if (found === -1) return undefined;
  const start = text.lastIndexOf('\n', found) + 1;
  return topLevelStrings(lines.subarray(start, endOfLine(text, found)), ['gitBranch'])[0];
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline;
}
