// Decides whether a requirement is proven: only by tests that passed in the recorded run.
import { type Citation, citedIds } from './citations.ts';
import type { Requirement } from './requirement.ts';

/** One test of a run, as `scripts/plain-reporter.ts` records it. */
export interface TestResult {
  /** Path relative to the root of the repository. */
  readonly file: string;
  /** The titles of its groups, then its own. */
  readonly titles: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped';
}

export type Proof = 'proven' | 'failed' | 'not run' | 'no test' | 'pending';

/** `results` are those of the last run; without any, nothing is proven. */
export function proofOf(
  { id, pending }: Requirement,
  citations: readonly Citation[],
  results: readonly TestResult[],
): Proof {
  if (pending) return 'pending';
  if (!citations.some((citation) => citation.id === id)) return 'no test';
  const states = results
    .filter(({ titles }) => titles.some((title) => citedIds(title).includes(id)))
    .map(({ state }) => state);
  if (states.includes('failed')) return 'failed';
  return states.includes('passed') ? 'proven' : 'not run';
}
