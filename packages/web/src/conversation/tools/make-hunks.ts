// Compares texts. Loaded only when the program did not report a patch.
import { structuredPatch } from 'diff';
import type { Change, Hunk } from './patch.ts';

/** With more differences than this, the change is shown as all old and all new lines. */
const maxDifferences = 2_000;

export function makeHunks(changes: readonly Change[]): readonly Hunk[] {
  return changes.flatMap(({ before, after }) => {
    const patch = structuredPatch('', '', before, after, '', '', {
      context: 3,
      maxEditLength: maxDifferences,
    });
    return patch ? patch.hunks : [replaced(before, after)];
  });
}

function replaced(before: string, after: string): Hunk {
  const lines = [
    ...before.split('\n').map((line) => `-${line}`),
    ...after.split('\n').map((line) => `+${line}`),
  ];
  return { oldStart: 1, newStart: 1, lines };
}
