// The list of sessions: pages as one scrolls, and the newest ones again every few seconds, so that status and titles
// stay fresh without reading a list of thousands anew.
import type { CodeSessionList, CodeSessionView } from '@parley/protocol';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get } from '../../api/http.ts';

export interface ListFilter {
  readonly q: string;
  readonly fullText: boolean;
  readonly project: string | undefined;
  readonly archived: boolean;
}

export const everything: ListFilter = { q: '', fullText: false, project: undefined, archived: false };

export const allKey = ['code-sessions'] as const;
export const headKey = [...allKey, 'newest'] as const;
export const pagesKey = ['code-session-pages'] as const;
const oneKey = [...allKey, 'one'] as const;

const pageSize = 100;
const headSize = 50;
const freshMs = 8_000;

export function useSessions(filter: ListFilter) {
  const pages = useInfiniteQuery({
    queryKey: [...pagesKey, filter],
    queryFn: ({ pageParam, signal }) => get<CodeSessionList>(pathOf(filter, pageSize, pageParam), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const head = useNewest(filter);
  const sessions = useMemo(
    () => merge(head.data?.sessions ?? [], pages.data?.pages.flatMap((page) => page.sessions) ?? []),
    [head.data, pages.data],
  );
  return { ...pages, sessions };
}

/** Folders in which somebody worked of late, the last one first. */
export function useRecentFolders(most: number): readonly string[] {
  const { data } = useNewest(everything);
  return useMemo(
    () => [...new Set(data?.sessions.map(({ workingDir }) => workingDir))].slice(0, most),
    [data, most],
  );
}

function useNewest(filter: ListFilter) {
  return useQuery({
    queryKey: [...headKey, filter],
    queryFn: ({ signal }) => get<CodeSessionList>(pathOf(filter, headSize), signal),
    refetchInterval: freshMs,
    placeholderData: keepPreviousData,
    // A search through all messages is not repeated by the clock.
    enabled: !filter.fullText || filter.q === '',
  });
}

export function useSession(id: string) {
  return useQuery({
    queryKey: [...oneKey, id],
    queryFn: ({ signal }) => get<CodeSessionView>(`/api/claude/sessions/${id}`, signal),
    retry: false,
    refetchInterval: freshMs,
  });
}

/** The newest first; what the head says counts. */
function merge(
  head: readonly CodeSessionView[],
  pages: readonly CodeSessionView[],
): readonly CodeSessionView[] {
  const newest = new Map(pages.map((session) => [session.id, session]));
  for (const session of head) newest.set(session.id, session);
  return [...newest.values()].toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

function pathOf({ q, fullText, project, archived }: ListFilter, limit: number, cursor?: string): string {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(cursor !== undefined && { cursor }),
    ...(q !== '' && { q }),
    ...(fullText && q !== '' && { full_text: 'true' }),
    ...(project !== undefined && { project }),
    ...(archived && { archived: 'true' }),
  });
  return `/api/claude/sessions?${query}`;
}
