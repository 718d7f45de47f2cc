// Writes a title that was given before the first prompt into the transcript, as the program itself would, once the first
// prompt typed at the screen has created one.
import { setTimeout as pause } from 'node:timers/promises';
import { renameSession } from '@parley/claude-cli';
import { pathExists } from '../../../basics/path-exists.ts';

const lookEveryMs = 1_000;

/** When `ended` aborts, looks one last time. */
export async function nameOnceStarted(
  file: string,
  readTitle: () => Promise<string>,
  ended: AbortSignal,
): Promise<void> {
  while (!(await pathExists(file))) {
    if (ended.aborted) return;
    await pause(lookEveryMs, undefined, { signal: ended, ref: false }).catch(() => undefined);
  }
  const title = await readTitle();
  if (title !== '') await renameSession(file, title);
}
