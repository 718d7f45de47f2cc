// Runs the slowest test files first, so that none of them runs alone at the end. Vitest knows how long files take only
// from an earlier run. Without one it starts with the largest, but some of the slowest files have only a few lines.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of paths, slowest first. */
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
    // The sort is stable, so files of the same rank keep their usual order.
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = long.findIndex((part) => moduleId.includes(part));
  return found < 0 ? long.length : found;
}
