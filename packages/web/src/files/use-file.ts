// Reads a file in parts, as far as somebody scrolls.
import type { FilePart } from '@parley/protocol';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { FilesOf } from './files-of.ts';

/** More text than this isn't shown; people can download it. */
const maxBytes = 16 * 1024 * 1024;

const fileKey = (place: FilesOf, path: string) => ['file', place.id, path];

export function useFile(place: FilesOf, path: string) {
  const query = useInfiniteQuery({
    queryKey: fileKey(place, path),
    queryFn: ({ pageParam, signal }) => place.files.read(path, { offset: pageParam, signal }),
    initialPageParam: 0,
    getNextPageParam: (last: FilePart) =>
      last.kind === 'text' && last.end < last.size && last.end > last.start && last.end < maxBytes
        ? last.end
        : undefined,
    staleTime: 0,
  });
  const parts = query.data?.pages ?? [];
  const [first] = parts;
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  return {
    first,
    text,
    /** Reads the next part; undefined if there is none. */
    more: hasNextPage ? more : undefined,
    error: query.error,
    refetch: query.refetch,
  };
}

/** Reloads a file after it was saved. */
export function useFileChanged(place: FilesOf): (path: string) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    (path) => queries.invalidateQueries({ queryKey: fileKey(place, path) }),
    [queries, place],
  );
}
