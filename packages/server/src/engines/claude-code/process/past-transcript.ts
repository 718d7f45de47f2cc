// Finds the transcript that the program wrote for a session.
import { stat } from 'node:fs/promises';
import { findTranscript, transcriptPath } from '@parley/claude-cli';

/** Undefined if there is none: then there is nothing to resume. */
export async function pastTranscript(
  projects: string,
  workingDir: string,
  id: string,
): Promise<string | undefined> {
  const usual = transcriptPath(projects, workingDir, id);
  const isThere = await stat(usual).then(
    (found) => found.isFile(),
    () => false,
  );
  return isThere ? usual : findTranscript(projects, id);
}
