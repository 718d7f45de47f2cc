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

/** A call that has begun is cut off by `cutOff` alone, so that a server that stops finishes its sentence. */
export function openOutlet(channel: Channel, cutOff: AbortSignal): Outlet {
  const lock = new KeyedLock();
  const unlessAborted = <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> =>
    signal.aborted ? Promise.reject(signal.reason as Error) : call();
  return {
    name: channel.name,
    messageLength: channel.messageLength,
    // Threads of a chat wait for each other too: a service may number their messages together.
    send: (chat, message, signal, note) =>
      lock.run(chat.chatId, () =>
        unlessAborted(signal, async () => {
          const attempt = channel.prepareSend(chat);
          await note?.(attempt);
          return channel.send(chat, message, attempt, cutOff);
        }),
      ),
    edit: (chat, ref, message, signal) =>
      unlessAborted(signal, () => channel.edit(chat, ref, message, cutOff)),
    remove: (chat, ref, signal) => unlessAborted(signal, () => channel.remove(chat, ref, cutOff)),
    showTyping: (chat, signal) => unlessAborted(signal, () => channel.showTyping(chat, cutOff)),
    findSent: (chat, attempt, signal) =>
      lock.run(chat.chatId, () => unlessAborted(signal, () => channel.findSent(chat, attempt, cutOff))),
  };
}
