// The whole text of a file of one version, to edit it.
import { useQuery } from '@tanstack/react-query';
import { t } from '../i18n/translate.ts';
import type { FilesOf } from './files-of.ts';

export function useWholeText(place: FilesOf, path: string) {
  return useQuery({
    queryKey: ['whole-file', place.id, path],
    queryFn: ({ signal }) => readWhole(place, path, signal),
    staleTime: 0,
    gcTime: 0,
    // What somebody is writing must not change because they looked at another window.
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
    // Somebody has changed it between two parts: start again.
    if (version !== undefined && part.version !== version) return readWhole(place, path, signal);
    version = part.version;
    text += part.text;
    if (part.end >= part.size || part.end === offset) return { text, version };
    offset = part.end;
  }
}
