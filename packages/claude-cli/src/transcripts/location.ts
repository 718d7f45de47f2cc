// Where the program stores its transcripts: `<config>/projects/<folder named after the working directory>/<session
// id>.jsonl`, with a folder `<session id>/` next to it for other files of the session.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The program cuts longer folder names and adds a hash to keep them unique. */
const MAX_FOLDER_NAME = 200;

const SESSION_ID_LENGTH = 36;
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `configDir` is the program's `CLAUDE_CONFIG_DIR`, if set. */
export function projectsRoot(home: string, configDir?: string): string {
  return join(configDir ?? join(home, '.claude'), 'projects');
}

/** The folder name that the program derives from a working directory (its real path, no symbolic links). */
export function projectFolderName(cwd: string): string {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  return name.length <= MAX_FOLDER_NAME ? name : `${name.slice(0, MAX_FOLDER_NAME)}-${hash(cwd)}`;
}

/** Session ids come from outside and become file names, so they must be UUIDs. */
export function isSessionId(text: string): boolean {
  return text.length === SESSION_ID_LENGTH && SESSION_ID.test(text);
}

/** The session id in a transcript's file name, or undefined for any other file. */
export function sessionIdOf(fileName: string): string | undefined {
  if (!fileName.endsWith('.jsonl')) return undefined;
  const id = fileName.slice(0, -'.jsonl'.length);
  return isSessionId(id) ? id : undefined;
}

/** The folder next to a transcript, for other files of the session. */
export function sideFolderOf(transcript: string): string {
  return transcript.slice(0, -'.jsonl'.length);
}

export function transcriptPath(root: string, cwd: string, sessionId: string): string {
  assertSessionId(sessionId);
  return join(root, projectFolderName(cwd), `${sessionId}.jsonl`);
}

/** Finds a session in any project. If two projects have it, the one written last counts. */
export async function findTranscript(root: string, sessionId: string): Promise<string | undefined> {
  assertSessionId(sessionId);
  const folders = await readdir(root).catch(() => []);
  const files = await Promise.all(
    folders.map(async (folder) => {
      const file = join(root, folder, `${sessionId}.jsonl`);
      const found = await stat(file).catch(() => undefined);
      return found?.isFile() ? { file, mtimeMs: found.mtimeMs } : undefined;
    }),
  );
  const newest = files.filter((file) => file !== undefined).sort((a, b) => b.mtimeMs - a.mtimeMs)[0];
  return newest?.file;
}

function assertSessionId(sessionId: string): void {
  if (!isSessionId(sessionId)) throw new TypeError('A session id must be a UUID.');
}

/** The program's own hash of a long path, so that we get the same folder. */
function hash(text: string): string {
  let value = 0;
  for (let i = 0; i < text.length; i += 1) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0;
  return Math.abs(value).toString(36);
}
