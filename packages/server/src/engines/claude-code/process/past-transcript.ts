// Finds the transcript that the program wrote for a session.
import { stat } from 'node:fs/promises';
import { findTranscript, transcriptPath } from '@parley/claude-cli';

export interface PastTranscript {
  readonly file: string;
  /** Changes whenever somebody writes to the file. */
  readonly version: string;
}

/** Undefined if there is nothing to resume. */
export async function pastTranscript(
  projects: string,
  workingDir: string,
  id: string,
): Promise<PastTranscript | undefined> {
  const usual = await look(transcriptPath(projects, workingDir, id));
  if (usual) return usual;
  const other = await findTranscript(projects, id);
  return other === undefined ? undefined : look(other);
}

async function look(file: string): Promise<PastTranscript | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? { file, version: `${found.mtimeMs} ${found.size}` } : undefined;
}
