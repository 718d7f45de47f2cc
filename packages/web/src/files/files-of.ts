// The files that a page works with: a session's folder, or the notes. Doesn't load the panel.
import type { Files } from '@parley/client';
import { useCallback, useMemo } from 'react';
import { client } from '../client.ts';
import type { FileFinder } from '../conversation/use-completion.ts';
import type { FilePlace } from '../ui/open-path.ts';

export interface FilesOf {
  /** The session's id, or `notes`. */
  readonly id: string;
  readonly files: Files;
  readonly mayWrite: boolean;
  readonly isOwner: boolean;
}

export function useFilesOf(id: string, mayWrite: boolean, isOwner = mayWrite): FilesOf {
  return useMemo(
    () => ({ id, files: id === 'notes' ? client.notes() : client.files(id), mayWrite, isOwner }),
    [id, mayWrite, isOwner],
  );
}

const maxSuggested = 20;

/** What the composer offers after an `@`. */
export function useFileFinder({ id, files }: FilesOf): FileFinder {
  return useMemo(
    () => ({
      id,
      async find(query, signal) {
        if (query !== '') return (await files.find(query, { limit: maxSuggested, signal })).matches;
        const { entries } = await files.list('', { limit: maxSuggested, signal });
        return entries
          .filter(({ kind }) => kind === 'file' || kind === 'folder')
          .map(({ name, kind }) => ({ path: name, folder: kind === 'folder' }));
      },
    }),
    [id, files],
  );
}

/** Opens a path from an answer. The program often writes absolute paths. */
export function useOpenPath(workingDir: string, openFile: (path: string, line?: number) => void) {
  return useCallback(
    ({ path, line }: FilePlace) => {
      const inside = path.startsWith(`${workingDir}/`) ? path.slice(workingDir.length + 1) : path;
      openFile(inside.replace(/^\//, ''), line);
    },
    [workingDir, openFile],
  );
}
