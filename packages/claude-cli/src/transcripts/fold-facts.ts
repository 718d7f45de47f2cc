// Folds the lines of a transcript into what a list needs. A list reads thousands of files, so this skips most lines
// without parsing them.
import { type Frame, parseFrame } from '../frames/frame.ts';
import { NEWLINE } from '../frames/line-splitter.ts';
import { topLevelString, topLevelType } from '../frames/top-level-fields.ts';
import type { SessionFacts } from './session-record.ts';
import { shorten } from './session-title.ts';
import { commandOf, isSidechain, promptOf, readLine } from './transcript-line.ts';

/** A fact that several lines may state; the last one counts. */
export type LatestFact = 'customTitle' | 'aiTitle' | 'summary' | 'tag' | 'lastPrompt' | 'costUsd';

/** The lines that state these facts, by type: which fact, and the field that holds it. */
export const factLines: ReadonlyMap<string, { readonly fact: LatestFact; readonly field: string }> = new Map([
  ['custom-title', { fact: 'customTitle', field: 'customTitle' }],
  ['ai-title', { fact: 'aiTitle', field: 'aiTitle' }],
  ['summary', { fact: 'summary', field: 'summary' }],
  ['tag', { fact: 'tag', field: 'tag' }],
  ['last-prompt', { fact: 'lastPrompt', field: 'lastPrompt' }],
  ['cost-state', { fact: 'costUsd', field: 'totalCostUSD' }],
  ['result', { fact: 'costUsd', field: 'total_cost_usd' }],
]);

/**
 * Up to this size a line is parsed instead of scanned: the first list runs cold code, in which native parsing is fast
 * and a loop over bytes is not.
 */
const PARSED_LINE = 8 * 1024;
/** How many lines to search for a branch, starting from the last. */
export const BRANCH_TRIES = 8;

/** Folds whole lines, without skipping any. They must come in order. */
export function foldLines(facts: SessionFacts, lines: Buffer): void {
  let start = 0;
  for (let end = lines.indexOf(NEWLINE); end !== -1; end = lines.indexOf(NEWLINE, start)) {
    foldLine(facts, lines.subarray(start, end));
    start = end + 1;
  }
  facts.gitBranch = lastBranch(lines) ?? facts.gitBranch;
}

function foldLine(facts: SessionFacts, line: Buffer): void {
  if (!hasStart(facts)) foldStartLine(facts, line);
  const type = topLevelType(line);
  if (type !== undefined && factLines.has(type)) foldFactLine(facts, line);
}

/**
 * Reads the first lines until the start of the conversation is known. Returns the offset of the first line that was
 * not read.
 */
export function foldStart(facts: SessionFacts, block: Buffer, from: number): number {
  let start = from;
  while (!hasStart(facts)) {
    const newline = block.indexOf(NEWLINE, start);
    if (newline === -1) break;
    foldStartLine(facts, block.subarray(start, newline));
    start = newline + 1;
  }
  return start;
}

export function hasStart(facts: SessionFacts): boolean {
  return facts.isSidechain === true || facts.firstPrompt !== undefined;
}

/**
 * Records the time of the last prompt in these lines, if it is later than `since`. Returns false if prompts before these
 * lines may be later too.
 */
export function foldPromptSince(facts: SessionFacts, lines: Buffer, since: number): boolean {
  let end = lines.length - 1;
  while (end > 0) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    const at = topLevelString(lines, 'timestamp', start, end);
    if (at !== undefined) {
      if (Date.parse(at) <= since) return true;
      const frame =
        topLevelType(lines, start, end) === 'user' ? parseFrame(lines.subarray(start, end)) : undefined;
      if (frame && promptOf(frame) !== undefined) {
        facts.lastPromptAt = at;
        return true;
      }
    }
    end = start - 1;
  }
  return false;
}

function foldStartLine(facts: SessionFacts, line: Buffer): void {
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

/** Folds a line that may state a fact, even a damaged one. Returns whether it did. */
export function foldFactLine(facts: SessionFacts, line: Buffer): boolean {
  let found = false;
  for (const { body } of readLine(line).frames)
    found = foldFactBody(facts, body as Readonly<Record<string, unknown>>) || found;
  return found;
}

export function foldFactBody(facts: SessionFacts, body: Readonly<Record<string, unknown>>): boolean {
  const line = factLines.get(String(body['type']));
  if (!line) return false;
  const value = body[line.field];
  if (line.fact === 'costUsd') {
    if (typeof value !== 'number') return false;
    facts.costUsd = value;
    return true;
  }
  if (typeof value !== 'string') return false;
  facts[line.fact] = shorten(value);
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

/** The branch in the last of these lines that names one. */
function lastBranch(lines: Buffer): string | undefined {
  let end = lines.length - 1;
  for (let tries = 0; end > 0 && tries < BRANCH_TRIES; tries += 1) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    const branch = topLevelString(lines, 'gitBranch', start, end);
    if (branch !== undefined) return branch;
    end = start - 1;
  }
  return undefined;
}
