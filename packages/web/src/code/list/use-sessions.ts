// The list of sessions. Loads more while scrolling, and the newest ones again every few seconds, so that status and
// titles stay fresh without reloading thousands of sessions.

import type { CodeSessionList, CodeSessionView } from '@parley/protocol';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { keyOf, type WorkPlace } from '../work-place.ts';

export interface ListFilter {
  readonly q: string;
  readonly project: string | undefined;
  readonly archived: boolean;
  readonly tag: string | undefined;
}

export const everything: ListFilter = { q: '', project: undefined, archived: false, tag: undefined };

export const allKey = ['code-sessions'] as const;
export const headKey = [...allKey, 'newest'] as const;
const pagesKey = ['code-session-pages'] as const;
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
  const { unreadable = [], indexing = false } = head.data ?? {};
  return { ...pages, sessions, unreadable, indexing };
}

/** Pinned sessions of all projects, however old. */
export function usePinned(): readonly CodeSessionView[] {
  const { data } = useQuery({
    queryKey: [...allKey, 'pinned'],
    queryFn: ({ signal }) => get<CodeSessionList>('/api/claude/sessions?pinned=true&limit=100', signal),
    refetchInterval: freshMs,
  });
  return data?.sessions ?? noSessions;
}

const noSessions: readonly CodeSessionView[] = [];

/** Folders used recently, the last one first. */
export function useRecentFolders(most: number): readonly WorkPlace[] {
  const { data } = useNewest(everything);
  return useMemo(() => {
    const usable = data?.sessions.filter(({ offline }) => !offline) ?? [];
    const places = usable.map(({ workingDir: path, machine }) => ({ path, ...(machine && { machine }) }));
    return [...new Map(places.map((place) => [keyOf(place), place])).values()].slice(0, most);
  }, [data, most]);
}

/** How many sessions wait for a decision. Events keep it fresh on every page; see useNotifications. */
export function useWaitingCount(): number {
  const { data } = useNewest(everything, { refetchInterval: false, retry: false });
  return data?.sessions.filter(({ waiting }) => waiting).length ?? 0;
}

function useNewest(filter: ListFilter, options: { refetchInterval?: false; retry?: false } = {}) {
  return useQuery({
    queryKey: [...headKey, filter],
    queryFn: ({ signal }) => get<CodeSessionList>(pathOf(filter, headSize), signal),
    refetchInterval: freshMs,
    placeholderData: keepPreviousData,
    ...options,
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

/** A title for every session, even before its first message. */
export function titleOf({ title, firstPrompt }: CodeSessionView): string {
  return title || firstPrompt || t('New session');
}

/** Newest first. The head is fresher than the pages. */
function merge(
  head: readonly CodeSessionView[],
  pages: readonly CodeSessionView[],
): readonly CodeSessionView[] {
  const newest = new Map(pages.map((session) => [session.id, session]));
  for (const session of head) newest.set(session.id, session);
  return [...newest.values()].toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

function pathOf({ q, project, archived, tag }: ListFilter, limit: number, cursor?: string): string {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(cursor !== undefined && { cursor }),
    ...(q !== '' && { q, full_text: 'true' }),
    ...(project !== undefined && { project }),
    ...(archived && { archived: 'true' }),
    ...(tag !== undefined && { tag }),
  });
  return `/api/claude/sessions?${query}`;
}
