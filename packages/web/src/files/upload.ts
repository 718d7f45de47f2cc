// Uploads files one after the other, and asks before replacing an existing one.
import { ApiError } from '@parley/client';
import { useCallback, useState } from 'react';
import type { FilesOf } from './files-of.ts';
import { join } from './tree-model.ts';
import { visibleName } from './visible-name.ts';

export interface Upload {
  readonly start: (folder: string, files: readonly File[]) => void;
  /** What is being uploaded. */
  readonly name: string | undefined;
  readonly error: unknown;
  /** The file that would be replaced, while somebody decides about it. */
  readonly replaced: Replaced | undefined;
}

interface Replaced {
  readonly name: string;
  readonly decide: (isReplaced: boolean) => void;
}

export function useUpload(place: FilesOf, onDone: () => void): Upload {
  const [name, setName] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [replaced, setReplaced] = useState<Replaced>();
  const start = useCallback(
    (folder: string, files: readonly File[]) => {
      setError(undefined);
      const mayReplace = (file: File) =>
        new Promise<boolean>((resolve) =>
          setReplaced({
            name: visibleName(file.name),
            decide: (isReplaced) => {
              setReplaced(undefined);
              resolve(isReplaced);
            },
          }),
        );
      (async () => {
        for (const file of files) {
          setName(file.name);
          await put(place, join(folder, file.name), file, mayReplace);
        }
      })()
        .catch(setError)
        .finally(() => {
          setName(undefined);
          onDone();
        });
    },
    [place, onDone],
  );
  return { start, name, error, replaced };
}

async function put(
  place: FilesOf,
  path: string,
  file: File,
  mayReplace: (file: File) => Promise<boolean>,
): Promise<void> {
  try {
    await place.files.upload(path, file);
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.code !== 'conflict') throw problem;
    if (await mayReplace(file)) await place.files.upload(path, file, { replace: true });
  }
}
