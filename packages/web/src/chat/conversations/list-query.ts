// The conversations of the person, page by page: the newest, or those in which words occur.
import type { Session } from '@parley/protocol';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { get } from '../../api/http.ts';

export interface ListedSession extends Session {
  readonly hits?: readonly { readonly role: 'user' | 'assistant'; readonly snippet: string }[];
}

interface SessionPage {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor?: string;
}

export function useConversations(words: string) {
  return useInfiniteQuery({
    queryKey: ['sessions', words],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: '50',
        ...(words !== '' && { q: words }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      });
      return get<SessionPage>(`/api/sessions?${query}`, signal);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // Sessions of the `claude` program have a page of their own.
    select: ({ pages }) =>
      pages.flatMap(({ sessions }) => sessions.filter(({ engine }) => engine === 'messages-api')),
  });
}
