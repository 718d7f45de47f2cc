// Versions of a conversation: editing a message or asking again starts a new one, and the old one stays.
import {
  type Conversation,
  type ConversationSnapshot,
  newKey,
  type PromptContent,
  type PromptItem,
} from '@parley/client';
import type { SessionId, TurnId, Versions } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { client } from '../client.ts';

const allVersions = 'versions';

export interface ConversationVersions {
  /** By the key of the message where they begin. */
  readonly at: ReadonlyMap<string, Versions>;
  /** Sends a message in place of an earlier one. Resolves to the version that it starts. */
  readonly start: (before: TurnId, content: PromptContent) => Promise<SessionId>;
}

export function useVersions(
  { id }: Conversation,
  { view, hasOlder }: ConversationSnapshot,
): ConversationVersions {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [allVersions, id],
    queryFn: ({ signal }) => client.sessions.versions(id, signal),
    retry: false,
  });
  // Sending it again after a lost receipt must not start another version.
  const attempt = useRef({ what: '', key: '' });
  const start = useCallback(
    async (before: TurnId, content: PromptContent) => {
      const what = JSON.stringify([before, content]);
      if (attempt.current.what !== what) attempt.current = { what, key: newKey() };
      const { key } = attempt.current;
      const { session } = await client.sessions.branch(id, before, content, { key });
      attempt.current = { what: '', key: '' };
      void queries.invalidateQueries({ queryKey: [allVersions] });
      return session.id;
    },
    [id, queries],
  );
  const at = useMemo(() => placesOf(view.items, hasOlder, data ?? []), [view.items, hasOlder, data]);
  return useMemo(() => ({ at, start }), [at, start]);
}

function placesOf(
  items: ConversationSnapshot['view']['items'],
  hasOlder: boolean,
  versions: readonly Versions[],
): ReadonlyMap<string, Versions> {
  const places = new Map<string, Versions>();
  if (versions.length === 0) return places;
  const prompts = items.filter((item): item is PromptItem => item.kind === 'prompt');
  prompts.forEach(({ key }, at) => {
    const previous = at === 0 && !hasOlder ? null : prompts[at - 1]?.promptId;
    const found = versions.find(({ after, current }) => after === previous && current >= 0);
    if (found) places.set(key, found);
  });
  return places;
}
