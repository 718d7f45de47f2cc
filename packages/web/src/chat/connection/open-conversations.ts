// The conversations of this tab, of each person their own. One that was begun on the start page is the same one on
// its own page.
import type { Session } from '@parley/protocol';
import { send } from '../../api/http.ts';
import { ConversationStore } from './conversation-store.ts';
import type { Message } from './outbox.ts';

const mostKept = 5;
const stores = new Map<string, ConversationStore>();

export function conversationOf(person: string, id: string): ConversationStore {
  return stores.get(keyOf(person, id)) ?? keep(person, new ConversationStore(id));
}

/** Begins a conversation with its first message. */
export async function beginConversation(
  wanted: { readonly assistant: string; readonly model: string | undefined },
  message: Message,
): Promise<ConversationStore> {
  const session = await send<Session>('POST', '/api/sessions', { ...wanted, title: titleFor(message) });
  const store = keep(session.person, new ConversationStore(session.id, session));
  store.outbox.send(message);
  return store;
}

/** Until somebody renames it: the list has a name for it before the first answer is there. */
function titleFor({ text, images }: Message): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 80);
  // Not half of an emoji.
  const words = line.replace(/[\uD800-\uDBFF]$/, '');
  return words || (images.length === 1 ? 'A picture' : 'Pictures');
}

export function forgetConversation({ person, id }: Session): void {
  stores.delete(keyOf(person, id));
}

/** The eldest go: they are fetched again when they are opened. */
function keep(person: string, store: ConversationStore): ConversationStore {
  stores.set(keyOf(person, store.id), store);
  for (const key of stores.keys()) {
    if (stores.size <= mostKept) break;
    stores.delete(key);
  }
  return store;
}

function keyOf(person: string, id: string): string {
  return `${person} ${id}`;
}
