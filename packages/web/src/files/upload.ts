// Uploads files one after the other, and asks before replacing an existing one.
import { ApiError } from '@parley/client';
import { useCallback, useState } from 'react';
import { t } from '../i18n/translate.ts';
import type { FilesOf } from './files-of.ts';
import { join } from './tree-model.ts';
import { visibleName } from './visible-name.ts';

export interface Upload {
  readonly start: (folder: string, files: readonly File[]) => void;
  /** What is being uploaded. */
  readonly name: string | undefined;
  readonly error: unknown;
  readonly dismiss: () => void;
}

export function useUpload(place: FilesOf, onDone: () => void): Upload {
  const [name, setName] = useState<string>();
  const [error, setError] = useState<unknown>();
  const start = useCallback(
    (folder: string, files: readonly File[]) => {
      setError(undefined);
      (async () => {
        for (const file of files) {
          setName(file.name);
          await put(place, join(folder, file.name), file);
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
  return { start, name, error, dismiss: () => setError(undefined) };
}

async function put(place: FilesOf, path: string, file: File): Promise<void> {
  try {
    await place.files.upload(path, file);
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.code !== 'conflict') throw problem;
    const question = t('{name} already exists. Replace it?', { name: visibleName(file.name) });
    if (window.confirm(question)) await place.files.upload(path, file, { replace: true });
  }
}
