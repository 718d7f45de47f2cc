// The conversation that a page shows, in step with the server for as long as the page shows it.
import type { Conversation, ConversationSnapshot } from '@parley/client';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { client } from '../client.ts';

export function useConversation(id: string): readonly [Conversation, ConversationSnapshot] {
  const conversation = useMemo(() => client.conversation(id), [id]);
  useEffect(() => conversation.use(), [conversation]);
  return [conversation, useSyncExternalStore(conversation.subscribe, conversation.snapshot)];
}
