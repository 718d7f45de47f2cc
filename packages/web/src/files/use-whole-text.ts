// Reads the whole text of one version of a file, for editing.
import { useQuery } from '@tanstack/react-query';
import { t } from '../i18n/translate.ts';
import type { FilesOf } from './files-of.ts';

export function useWholeText(place: FilesOf, path: string) {
  return useQuery({
    queryKey: ['whole-file', place.id, path],
    queryFn: ({ signal }) => readWhole(place, path, signal),
    staleTime: 0,
    gcTime: 0,
    // The text in the editor must not change because somebody looked at another window.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

async function readWhole(place: FilesOf, path: string, signal: AbortSignal) {
  let text = '';
  let version: string | undefined;
  for (let offset = 0; ; ) {
    const part = await place.files.read(path, { offset, signal });
    if (part.kind !== 'text') throw new Error(t('This file is not text'));
    // The file has changed between two parts: start again.
    if (version !== undefined && part.version !== version) return readWhole(place, path, signal);
    version = part.version;
    text += part.text;
    if (part.end >= part.size || part.end === offset) return { text, version };
    offset = part.end;
  }
}
