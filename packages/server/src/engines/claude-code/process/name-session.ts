// Writes a title that was given before the session's first prompt into its transcript, as the program itself would.
import { renameSession, transcriptPath } from '@parley/claude-cli';
import type { Session } from '@parley/protocol';
import type { Logger } from '../../../domain/logger.ts';
import type { AwakeSession } from './awake-session.ts';

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
