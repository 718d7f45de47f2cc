// Scans lines quickly for facts that a later line may change: titles, tag, cost, branch. Skips lines that do not start
// with their type: the program starts every line that states a fact with it.
import { NEWLINE } from '../frames/line-splitter.ts';
import { BRANCH_TRIES, factLines, foldFactBody, foldFactLine, type LatestFact } from './fold-facts.ts';
import type { SessionFacts } from './session-record.ts';

const LETTER_T = 0x74;
const QUOTE = 0x22;

/** Where the type starts in a line that starts with it. */
const TYPE_AT = '{"type":"'.length;

/** The facts by the first two letters of their line types, which is enough to distinguish them. */
const factsByLetters: ReadonlyMap<number, LatestFact> = new Map(
  Array.from(factLines, ([type, { fact }]) => [letters(type.charCodeAt(0), type.charCodeAt(1)), fact]),
);

const branchKey = Buffer.from('"gitBranch":"');

/**
 * Folds the whole lines between two offsets. Goes backward, so that it parses only the last line of each fact.
 */
export function foldQuickly(facts: SessionFacts, block: Buffer, from: number, to: number): void {
  const found: LatestFact[] = [];
  let end = to - 1;
  while (end > from) {
    const start = Math.max(from, block.lastIndexOf(NEWLINE, end - 1) + 1);
    const fact = factAt(block, start);
    if (fact !== undefined && !found.includes(fact) && foldLine(facts, block, start, end)) found.push(fact);
    end = start - 1;
  }
}

/** What looks like a branch name in one of the last lines between two offsets. */
export function lastBranchQuickly(block: Buffer, from: number, to: number): string | undefined {
  let end = to - 1;
  for (let tries = 0; end > from && tries < BRANCH_TRIES; tries += 1) {
    const start = Math.max(from, block.lastIndexOf(NEWLINE, end - 1) + 1);
    const key = block.indexOf(branchKey, start);
    const name = key + branchKey.length;
    const nameEnd = key === -1 ? -1 : block.indexOf(QUOTE, name);
    if (nameEnd !== -1 && nameEnd < end) return block.toString('utf8', name, nameEnd);
    end = start - 1;
  }
  return undefined;
}

function foldLine(facts: SessionFacts, block: Buffer, start: number, end: number): boolean {
  try {
    const body: unknown = JSON.parse(block.toString('utf8', start, end));
    return foldFactBody(facts, body as Readonly<Record<string, unknown>>);
  } catch {
    return foldFactLine(facts, block.subarray(start, end));
  }
}

function factAt(lines: Buffer, start: number): LatestFact | undefined {
  if (lines[start + 2] !== LETTER_T || lines[start + TYPE_AT - 1] !== QUOTE) return undefined;
  return factsByLetters.get(letters(lines[start + TYPE_AT] ?? 0, lines[start + TYPE_AT + 1] ?? 0));
}

function letters(first: number, second: number): number {
  return first * 256 + second;
}
