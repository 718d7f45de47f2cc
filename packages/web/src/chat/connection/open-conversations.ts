// The conversations of this tab. One that was begun on the start page is the same one on its own page.
import type { Session } from '@parley/protocol';
import { send } from '../../api/http.ts';
import { ConversationStore } from './conversation-store.ts';
import type { Message } from './outbox.ts';

const mostKept = 5;
const stores = new Map<string, ConversationStore>();

export function conversationOf(id: string): ConversationStore {
  return stores.get(id) ?? keep(new ConversationStore(id));
}

/** Begins a conversation with its first message. */
export async function beginConversation(assistant: string, message: Message): Promise<ConversationStore> {
  const session = await send<Session>('POST', '/api/sessions', { assistant });
  const store = keep(new ConversationStore(session.id, session));
  store.outbox.send(message);
  return store;
}

export function forgetConversation(id: string): void {
  stores.delete(id);
}

/** Another person has other conversations. */
export function forgetConversations(): void {
  stores.clear();
}

/** The eldest go: they are fetched again when they are opened. */
function keep(store: ConversationStore): ConversationStore {
  stores.set(store.id, store);
  for (const id of stores.keys()) {
    if (stores.size <= mostKept) break;
    stores.delete(id);
  }
  return store;
}
