// The person's conversations, page by page: the newest, or those that match a search.

import type { Session } from '@parley/protocol';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { get } from '../../client.ts';
import { t } from '../../i18n/translate.ts';

export type ListedSession = Session & {
  readonly hits?: readonly { readonly role: 'user' | 'assistant'; readonly snippet: string }[];
};

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
    // Claude Code sessions have their own page.
    select: ({ pages }) =>
      pages.flatMap(({ sessions }) => sessions.filter(({ engine }) => engine === 'messages-api')),
  });
}

export function conversationTitle({ title }: { readonly title: string }): string {
  return title || t('New conversation');
}
