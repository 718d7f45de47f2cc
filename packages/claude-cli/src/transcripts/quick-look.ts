// A quick look at lines for what a later line may change: titles, tag, cost, branch. It passes over all lines
// that do not begin with their type: the program writes all telling lines so, and where it does not, an exact
// reading finds them.
import { foldTelling, foldTellingBody, type TellingFact, tellingLines } from './fold-facts.ts';
import type { SessionFacts } from './session-record.ts';

const NEWLINE = 0x0a;
const LETTER_T = 0x74;
const QUOTE = 0x22;

/** Where the type begins in a line that begins with it. */
const TYPE_AT = '{"type":"'.length;

/** The facts by the first two letters of the types that tell them, which is enough to tell those apart. */
const factsByLetters: ReadonlyMap<number, TellingFact> = new Map(
  Array.from(tellingLines, ([type, { fact }]) => [letters(type.charCodeAt(0), type.charCodeAt(1)), fact]),
);

const branchKey = Buffer.from('"gitBranch":"');
/** In how many lines, from the last one on, a branch is looked for. */
const BRANCH_TRIES = 8;

/**
 * Takes the whole lines between two offsets. Walks from the end, and parses for each fact only the last line
 * that tells it.
 */
export function foldQuickly(facts: SessionFacts, block: Buffer, from: number, to: number): void {
  const told: TellingFact[] = [];
  let end = to - 1;
  while (end > from) {
    const start = Math.max(from, block.lastIndexOf(NEWLINE, end - 1) + 1);
    const fact = factToldAt(block, start);
    if (fact !== undefined && !told.includes(fact) && foldLine(facts, block, start, end)) told.push(fact);
    end = start - 1;
  }
}

/** What looks like the name of a branch in one of the last lines between two offsets. */
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
    return foldTellingBody(facts, body as Readonly<Record<string, unknown>>);
  } catch {
    return foldTelling(facts, block.subarray(start, end));
  }
}

function factToldAt(lines: Buffer, start: number): TellingFact | undefined {
  if (lines[start + 2] !== LETTER_T || lines[start + TYPE_AT - 1] !== QUOTE) return undefined;
  return factsByLetters.get(letters(lines[start + TYPE_AT] ?? 0, lines[start + TYPE_AT + 1] ?? 0));
}

function letters(first: number, second: number): number {
  return first * 256 + second;
}
