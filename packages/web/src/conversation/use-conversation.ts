// The conversation that a page shows, kept in sync with the server while it is shown.
import type { Conversation, ConversationSnapshot } from '@parley/client';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { cacheConversation } from '../app/offline.ts';
import { client } from '../client.ts';

export function useConversation(id: string): readonly [Conversation, ConversationSnapshot] {
  const conversation = useMemo(() => client.conversation(id), [id]);
  useEffect(() => conversation.use(), [conversation]);
  const snapshot = useSyncExternalStore(conversation.subscribe, conversation.snapshot);
  const { status, connection, view } = snapshot;
  const isAtRest = status === 'open' && connection === 'open' && view.running === undefined;
  useEffect(() => {
    if (isAtRest) cacheConversation(id);
  }, [id, isAtRest]);
  return [conversation, snapshot];
}
