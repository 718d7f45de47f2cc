// Folds the lines of a transcript into what a list needs to know. Lists are read from thousands of files, so
// most lines are passed over without being parsed.
import { type Frame, parseFrame } from '../frames/frame.ts';
import { topLevelString, topLevelType } from '../frames/top-level-fields.ts';
import type { SessionFacts } from './session-record.ts';
import { shorten } from './session-title.ts';
import { commandOf, isSidechain, promptOf, readLine } from './transcript-line.ts';

/** Lines of which the last one counts, whatever stood before it. */
const tellingTypes: ReadonlySet<string> = new Set([
  'custom-title',
  'ai-title',
  'summary',
  'tag',
  'agent-name',
  'last-prompt',
  'cost-state',
  'result',
]);

/** How far into a line a quick look goes to find its type. The program names it first in all telling lines. */
const QUICK_LOOK = 64;
/** A branch is looked for in chat lines up to this size, and in no more than so many of them. */
const BRANCH_LINE = { size: 8 * 1024, tries: 8 };

const NEWLINE = 0x0a;

/** Takes one line of any kind. Lines must come in their order. */
export function foldLine(facts: SessionFacts, line: Buffer): void {
  const type = topLevelType(line);
  if (!hasBeginning(facts)) foldBeginningLine(facts, line, type);
  if (type === undefined || !tellingTypes.has(type)) return;
  for (const frame of readLine(line).frames) foldFrame(facts, frame);
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
    const line = block.subarray(start, newline);
    foldBeginningLine(facts, line, topLevelType(line));
    start = newline + 1;
  }
  return start;
}

export function hasBeginning(facts: SessionFacts): boolean {
  return facts.isSidechain === true || facts.firstPrompt !== undefined;
}

/**
 * A quick look at whole lines for what a later line may change: titles, tag, cost, branch. Walks from the end,
 * reads the last line of each type, and knows a type only where a line begins with it.
 */
export function foldQuickly(facts: SessionFacts, lines: Buffer): void {
  const seen = new Set<string>();
  let end = lines.length - 1;
  while (end > 0) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    const type = topLevelType(lines, start, Math.min(end, start + QUICK_LOOK));
    if (type !== undefined && tellingTypes.has(type) && !seen.has(type)) {
      seen.add(type);
      for (const frame of readLine(lines.subarray(start, end)).frames) foldFrame(facts, frame);
    }
    end = start - 1;
  }
  facts.gitBranch = lastBranch(lines) ?? facts.gitBranch;
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

function foldBeginningLine(facts: SessionFacts, line: Buffer, type: string | undefined): void {
  facts.createdAt ??= topLevelString(line, 'timestamp');
  facts.cwd ??= topLevelString(line, 'cwd');
  if (type !== 'user' && type !== 'assistant') return;
  const frame = type === 'user' || facts.isSidechain === undefined ? parseFrame(line) : undefined;
  if (!frame) return;
  facts.isSidechain ??= isSidechain(frame);
  if (frame.kind === 'user') foldUser(facts, frame);
}

function foldFrame(facts: SessionFacts, frame: Frame): void {
  switch (frame.kind) {
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
}

/** Lines of the program that have no typed view, because only the index reads them. */
function foldUnknown(facts: SessionFacts, body: Readonly<Record<string, unknown>>): void {
  const { type, lastPrompt, totalCostUSD } = body;
  if (type === 'last-prompt' && typeof lastPrompt === 'string') facts.lastPrompt = shorten(lastPrompt);
  if (type === 'cost-state' && typeof totalCostUSD === 'number') facts.costUsd = totalCostUSD;
}

function lastBranch(lines: Buffer): string | undefined {
  let end = lines.length - 1;
  for (let tries = BRANCH_LINE.tries; end > 0 && tries > 0; ) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    if (end - start <= BRANCH_LINE.size) {
      const branch = topLevelString(lines, 'gitBranch', start, end);
      if (branch !== undefined) return branch;
      tries -= 1;
    }
    end = start - 1;
  }
  return undefined;
}
