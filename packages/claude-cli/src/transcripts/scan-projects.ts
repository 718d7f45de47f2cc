// Lists the transcripts and the stamps that show whether one changed. Tolerates folders and files that disappear
// during the scan: the program deletes old transcripts by itself.
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isSessionId, sessionIdOf } from './location.ts';
import type { FoundFile } from './read-record.ts';
import type { FileStamp } from './session-record.ts';

export interface ScannedFile {
  readonly found: FoundFile;
  readonly hasSideFolder: boolean;
}

/** Every transcript below the root, one folder at a time. */
export function* scanProjects(root: string): Generator<ScannedFile> {
  for (const project of namesIn(root)) {
    const folder = join(root, project);
    const names = namesIn(folder);
    const sideFolders = new Set(names.filter(isSessionId));
    for (const name of names) {
      const sessionId = sessionIdOf(name);
      if (sessionId === undefined) continue;
      const found = { file: `${folder}${sep}${name}`, sessionId, project };
      yield { found, hasSideFolder: sideFolders.has(sessionId) };
    }
  }
}

/** Undefined if there is no such file. */
export function stampOf(file: string, hasSideFolder: boolean): FileStamp | undefined {
  const found = statOrNothing(file);
  if (!found?.isFile()) return undefined;
  const side = hasSideFolder ? statOrNothing(file.slice(0, -'.jsonl'.length)) : undefined;
  const { size, mtimeMs, ino, birthtimeMs } = found;
  return { size, mtimeMs, ino, birthtimeMs, sideMtimeMs: side?.mtimeMs ?? 0 };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statOrNothing(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
