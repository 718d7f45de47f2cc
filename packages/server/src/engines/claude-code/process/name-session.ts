// Writes a title that was given before the session's first prompt into its transcript, as the program itself would.
import { renameSession, transcriptPath } from '@parley/claude-cli';
import type { Session } from '@parley/protocol';
import { pause } from '../../../basics/backoff.ts';
import { pathExists } from '../../../basics/path-exists.ts';
import type { Logger } from '../../../domain/logger.ts';
import { systemTimers } from '../../../domain/timers.ts';
import type { AwakeSession } from './awake-session.ts';

/** Call it after a turn. Does nothing unless it was the session's first. */
export async function nameNewSession(
  awake: AwakeSession,
  { id, title }: Session,
  { projects, logger }: { readonly projects: string; readonly logger: Logger },
): Promise<void> {
  if (!awake.isNew) return;
  awake.isNew = false;
  if (title === '') return;
  try {
    await renameSession(transcriptPath(projects, awake.settings.workingDir, id), title);
  } catch (error) {
    logger.warn({ err: error, session: id }, 'the title of a session could not be written');
  }
}

const lookEveryMs = 1_000;

/** For a terminal: waits until its first prompt has created the transcript. When `ended` aborts, looks one last time. */
export async function nameOnceStarted(
  file: string,
  readTitle: () => Promise<string>,
  ended: AbortSignal,
): Promise<void> {
  while (!(await pathExists(file))) {
    if (ended.aborted) return;
    await pause(lookEveryMs, ended, systemTimers);
  }
  const title = await readTitle();
  if (title !== '') await renameSession(file, title);
}
