// The person's conversations, page by page: the newest, or those that match a search.

import type { Session } from '@parley/protocol';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { get } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import type { MarkFilter } from '../../session-list/list-filters.tsx';

export type ListedSession = Session & {
  readonly hits?: readonly { readonly role: 'user' | 'assistant'; readonly snippet: string }[];
};

interface SessionPage {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor?: string;
}

export interface ConversationFilter extends MarkFilter {
  readonly pinned?: boolean;
}

export function useConversations(words: string, { pinned = false, archived, tag }: ConversationFilter) {
  return useInfiniteQuery({
    queryKey: ['sessions', words, { pinned, archived, tag }],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: '50',
        ...(words !== '' && { q: words }),
        ...(pinned && { pinned: 'true' }),
        ...(archived && { archived: 'true' }),
        ...(tag !== undefined && { tag }),
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
