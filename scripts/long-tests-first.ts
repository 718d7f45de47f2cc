// Runs the slowest test files first, so that none of them runs alone at the end, and those that mostly wait next to others
// that work. Vitest knows how long files take only from an earlier run. Without one it starts with the largest, but some of
// the slowest files have only a few lines.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of paths, slowest first. */
const long = [
  'cluster/faults',
  'stores/postgres.test',
  'telegram/many-chats',
  'app/settings.test',
  'simulation/',
  '/e2e/',
  'engines/claude-code/',
  'claude-cli/test/program/',
  'claude-cli/test/readme',
  'test/cli/',
  'test/app/',
  'doors/bots/',
];

/** Parts of paths of files that mostly wait, for timers and programs, slowest first. */
const waiting = [
  'access/matrix',
  'telegram/kill',
  'e2e/overview',
  'stores/sqlite.test',
  'discord/delivery',
  'telegram/albums',
  'telegram/state',
  'e2e/settings-bots',
  'app/programs',
  'app/bots-move',
  'telegram/delivery',
  'app/several-servers',
  'app/move-home',
  'app/several-machines',
  'app/soak',
  'tools/mcp/crash',
  'websocket/server-killed',
];
/** One of so many is started with those that work, until all have been. */
const share = 5;

export default class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    // Sorting is stable, so files of the same rank keep their usual order.
    const ranked = (parts: readonly string[]) =>
      usual.toSorted((one, other) => rank(one, parts) - rank(other, parts));
    const isWaiting = (file: TestSpecification) => rank(file, waiting) < waiting.length;
    const idle = ranked(waiting).filter(isWaiting);
    const busy = ranked(long).filter((file) => !isWaiting(file));
    return [
      ...busy.flatMap((file, at) => (at % (share - 1) === 0 ? [...idle.splice(0, 1), file] : file)),
      ...idle,
    ];
  }
}

function rank({ moduleId }: TestSpecification, parts: readonly string[]): number {
  const found = parts.findIndex((part) => moduleId.includes(part));
  return found < 0 ? parts.length : found;
}
