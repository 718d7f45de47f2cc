// Sends through a bot, one message at a time per chat. After a crash, at most one message of a chat is in doubt, so
// `findSent` cannot confuse it with another.
import { KeyedQueue } from '../../../basics/keyed-queue.ts';
import type { Bot, ChatAddress, MessageRef, OutgoingMessage } from './bot.ts';

export interface Messenger
  extends Pick<Bot, 'name' | 'messageLength' | 'edit' | 'remove' | 'showTyping' | 'findSent'> {
  /** Calls `beforeSend` with the attempt and waits for it before the message goes out. */
  send(
    chat: ChatAddress,
    message: OutgoingMessage,
    signal: AbortSignal,
    beforeSend?: (attempt: unknown) => Promise<void>,
  ): Promise<MessageRef>;
}

/** Only `cutOff` ends a call that has started, so that a message being sent gets time to arrive during shutdown. */
export function createMessenger(bot: Bot, cutOff: AbortSignal): Messenger {
  const queue = new KeyedQueue();
  const unlessAborted = <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> =>
    signal.aborted ? Promise.reject(signal.reason as Error) : call();
  return {
    name: bot.name,
    messageLength: bot.messageLength,
    // The threads of a chat share a queue, because the service may number their messages together.
    send: (chat, message, signal, beforeSend) =>
      queue.run(chat.chatId, () =>
        unlessAborted(signal, async () => {
          const attempt = bot.prepareSend(chat);
          await beforeSend?.(attempt);
          return bot.send(chat, message, attempt, cutOff);
        }),
      ),
    edit: (chat, ref, message, signal) => unlessAborted(signal, () => bot.edit(chat, ref, message, cutOff)),
    remove: (chat, ref, signal) => unlessAborted(signal, () => bot.remove(chat, ref, cutOff)),
    showTyping: (chat, signal) => unlessAborted(signal, () => bot.showTyping(chat, cutOff)),
    findSent: (chat, attempt, signal) =>
      queue.run(chat.chatId, () => unlessAborted(signal, () => bot.findSent(chat, attempt, cutOff))),
  };
}
