// Lists the transcripts and the stamps that show whether one changed. Tolerates folders and files that disappear
// during the scan: the program itself deletes old transcripts. Reports folders that exist but cannot be read.
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isSessionId, sessionIdOf, sideFolderOf } from './location.ts';
import type { FoundFile } from './read-record.ts';
import type { FileStamp } from './session-record.ts';

export interface ScannedFile {
  readonly found: FoundFile;
  readonly hasSideFolder: boolean;
}

/** A folder whose sessions are missing from the list. */
export interface UnreadableFolder {
  readonly folder: string;
  /** Such as `EACCES`. */
  readonly reason: string;
}

/** Every transcript below the root, one folder at a time. */
export function* scanProjects(
  root: string,
  onUnreadable: (folder: UnreadableFolder) => void,
): Generator<ScannedFile> {
  // The program creates the root when it first runs.
  for (const project of namesIn(root, ['ENOENT'], onUnreadable)) {
    const folder = join(root, project);
    const names = namesIn(folder, ['ENOENT', 'ENOTDIR'], onUnreadable);
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
  const side = hasSideFolder ? statOrNothing(sideFolderOf(file)) : undefined;
  const { size, mtimeMs, ino, birthtimeMs } = found;
  return { size, mtimeMs, ino, birthtimeMs, sideMtimeMs: side?.mtimeMs ?? 0 };
}

function namesIn(
  folder: string,
  harmless: readonly string[],
  onUnreadable: (folder: UnreadableFolder) => void,
): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code: reason = String(error) } = error as NodeJS.ErrnoException;
    if (!harmless.includes(reason)) onUnreadable({ folder, reason });
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
