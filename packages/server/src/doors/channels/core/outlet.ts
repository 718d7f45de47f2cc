// A channel as the rest of core writes to it: one message at a time in each chat. Thereby at most one message of a
// chat can be of unknown fate after a crash, and `findSent` cannot take another for it.
import type { Channel, ChatAddress, MessageRef, Outgoing } from './channel.ts';
import { KeyedLock } from './keyed-lock.ts';

export interface Outlet
  extends Pick<Channel, 'name' | 'messageLength' | 'edit' | 'remove' | 'showTyping' | 'findSent'> {
  /** `note` writes down that a try begins, before it does. */
  send(
    chat: ChatAddress,
    message: Outgoing,
    signal: AbortSignal,
    note?: (attempt: unknown) => Promise<void>,
  ): Promise<MessageRef>;
}

export function openOutlet(channel: Channel): Outlet {
  const lock = new KeyedLock();
  return {
    name: channel.name,
    messageLength: channel.messageLength,
    // Threads of a chat wait for each other too: a service may number their messages together.
    send: (chat, message, signal, note) =>
      lock.run(chat.chatId, async () => {
        signal.throwIfAborted();
        const attempt = channel.prepareSend(chat);
        await note?.(attempt);
        return channel.send(chat, message, attempt, signal);
      }),
    edit: (...args) => channel.edit(...args),
    remove: (...args) => channel.remove(...args),
    showTyping: (...args) => channel.showTyping(...args),
    findSent: (chat, attempt, signal) => lock.run(chat.chatId, () => channel.findSent(chat, attempt, signal)),
  };
}
