// Folds the lines of a transcript into what a list needs to know. Lists are read from thousands of files, so
// most lines are passed over without being parsed.
import { type Frame, parseFrame } from '../frames/frame.ts';
import { topLevelString, topLevelType } from '../frames/top-level-fields.ts';
import type { SessionFacts } from './session-record.ts';
import { shorten } from './session-title.ts';
import { commandOf, isSidechain, promptOf, readLine } from './transcript-line.ts';

type TextFact = 'customTitle' | 'aiTitle' | 'summary' | 'tag' | 'lastPrompt';

/** Lines of which the last one counts: their type, and the field of the same name in line and facts. */
const textLines: ReadonlyMap<string, TextFact> = new Map([
  ['custom-title', 'customTitle'],
  ['ai-title', 'aiTitle'],
  ['summary', 'summary'],
  ['tag', 'tag'],
  ['last-prompt', 'lastPrompt'],
]);

/** The same for what the session has cost so far. */
const costLines: ReadonlyMap<string, string> = new Map([
  ['cost-state', 'totalCostUSD'],
  ['result', 'total_cost_usd'],
]);

/**
 * Up to this size a line is parsed rather than walked through: a first list is read by code that has not run
 * before, in which native parsing is fast at once and a loop over bytes is not.
 */
const PARSED_LINE = 8 * 1024;
/** In how many lines, from the last one on, a branch is looked for. */
const BRANCH_TRIES = 8;

const NEWLINE = 0x0a;
const LETTER_T = 0x74;
const QUOTE = 0x22;

/** Takes one line of any kind. Lines must come in their order. */
export function foldLine(facts: SessionFacts, line: Buffer): void {
  if (!hasBeginning(facts)) foldBeginningLine(facts, line);
  const type = topLevelType(line);
  if (type !== undefined && isTelling(type)) foldTelling(facts, line);
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

/**
 * A quick look at whole lines for what a later line may change: titles, tag, cost. Walks from the end, reads
 * the last line of each type, and passes over lines that do not begin with their type: the program writes all
 * telling lines so, and where it does not, an exact reading finds them.
 */
export function foldQuickly(facts: SessionFacts, lines: Buffer): void {
  const seen = new Set<string>();
  let end = lines.length - 1;
  while (end > 0) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    // The letter behind `{"`.
    const type = lines[start + 2] === LETTER_T ? topLevelType(lines, start, end) : undefined;
    if (type !== undefined && isTelling(type) && !seen.has(type)) {
      seen.add(type);
      foldTelling(facts, lines.subarray(start, end));
    }
    end = start - 1;
  }
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

function isTelling(type: string): boolean {
  return textLines.has(type) || costLines.has(type);
}

function foldTelling(facts: SessionFacts, line: Buffer): void {
  for (const { body } of readLine(line).frames)
    foldTellingBody(facts, body as Readonly<Record<string, unknown>>);
}

function foldTellingBody(facts: SessionFacts, body: Readonly<Record<string, unknown>>): void {
  const type = String(body['type']);
  const textFact = textLines.get(type);
  const text = textFact && body[textFact];
  if (textFact && typeof text === 'string') facts[textFact] = shorten(text);
  const costField = costLines.get(type);
  const cost = costField && body[costField];
  if (typeof cost === 'number') facts.costUsd = cost;
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

const branchKey = Buffer.from('"gitBranch":"');

/** The same at a glance: the last place in the lines that looks like a branch. */
export function lastBranchQuickly(lines: Buffer): string | undefined {
  const key = lines.lastIndexOf(branchKey);
  if (key === -1) return undefined;
  const start = key + branchKey.length;
  const end = lines.indexOf(QUOTE, start);
  return end === -1 ? undefined : lines.toString('utf8', start, end);
}
