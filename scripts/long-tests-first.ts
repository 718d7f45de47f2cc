// Begins with the test files that take longest, so that none of them runs alone at the end. Vitest knows how long files took
// only from an earlier run; without one it begins with the largest, and some of the longest tests are a few lines.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of paths, those of the longest first. */
const long = [
  'cluster/faults',
  'stores/postgres.test',
  'telegram/many-chats',
  'access/matrix',
  'app/settings.test',
  'simulation/',
  '/e2e/',
  'stores/sqlite.test',
  'telegram/kill',
  'engines/claude-code/',
  'claude-cli/test/program/',
  'claude-cli/test/readme',
  'test/cli/',
  'test/app/',
  'doors/bots/',
];

export default class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    // Sorting keeps the usual order of those that are equal.
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = long.findIndex((part) => moduleId.includes(part));
  return found < 0 ? long.length : found;
}
