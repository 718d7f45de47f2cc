// Sends through a bot, one message at a time per chat. While it is unknown whether a message arrived, nothing else goes
// out in its chat, so `findSent` cannot confuse it with another, not even after a crash.
import type { Backoff } from '../../../basics/backoff.ts';
import { KeyedQueue } from '../../../basics/keyed-queue.ts';
import {
  type Bot,
  type ChatAddress,
  type MessageRef,
  type OutgoingMessage,
  ServiceError,
  type ServiceProblem,
} from './bot.ts';
import { retry } from './retry.ts';

export interface Messenger extends Pick<Bot, 'name' | 'messageLength' | 'edit' | 'remove' | 'showTyping'> {
  /** Makes one attempt. */
  send(chat: ChatAddress, message: OutgoingMessage, signal: AbortSignal): Promise<MessageRef>;
  /** Retries until the message has arrived exactly once. Rejects when the service refuses it in every form. */
  deliver(chat: ChatAddress, message: OutgoingMessage, delivery: Delivery): Promise<void>;
}

export interface Delivery {
  readonly signal: AbortSignal;
  readonly backoff?: Backoff | undefined;
  readonly onRetry?: ((error: ServiceError, waitMs: number) => void) | undefined;
  /** An attempt from before a crash that may have arrived. */
  readonly inDoubt?: unknown;
  /** Stores an attempt before it starts. */
  readonly beforeSend?: ((attempt: unknown) => Promise<void>) | undefined;
}

/** Only `cutOff` ends a call that has started, so that a message being sent gets time to arrive during shutdown. */
export function createMessenger(bot: Bot, cutOff: AbortSignal): Messenger {
  // The threads of a chat share a queue, because the service may number their messages together.
  const queue = new KeyedQueue();
  /** Per chat: an attempt of `send` that may have arrived. */
  const unclear = new Map<string, unknown>();

  const unlessAborted = <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> =>
    signal.aborted ? Promise.reject(signal.reason as Error) : call();

  /** Finds out what the bot did, so that it knows its own messages. */
  async function clearUp(chat: ChatAddress): Promise<void> {
    const attempt = unclear.get(chat.chatId);
    if (attempt !== undefined) await bot.findSent(chat, attempt, cutOff);
    unclear.delete(chat.chatId);
  }

  async function deliver(chat: ChatAddress, message: OutgoingMessage, delivery: Delivery): Promise<void> {
    let { inDoubt } = delivery;
    let current = message;
    const attempt = async (): Promise<void> => {
      delivery.signal.throwIfAborted();
      if (inDoubt !== undefined && (await bot.findSent(chat, inDoubt, cutOff)) === true) return;
      await clearUp(chat);
      const started = bot.prepareSend(chat);
      await delivery.beforeSend?.(started);
      inDoubt = started;
      try {
        await bot.send(chat, current, started, cutOff);
      } catch (error) {
        if (!mayHaveArrived(error)) inDoubt = undefined;
        const simpler = error instanceof ServiceError ? simplerThan(current, error.problem) : undefined;
        if (!simpler) throw error;
        current = simpler;
        await attempt();
      }
    };
    await retry(attempt, delivery.signal, delivery.onRetry, delivery.backoff);
  }

  return {
    name: bot.name,
    messageLength: bot.messageLength,
    send: (chat, message, signal) =>
      queue.run(chat.chatId, () =>
        unlessAborted(signal, async () => {
          const attempt = bot.prepareSend(chat);
          try {
            return await bot.send(chat, message, attempt, cutOff);
          } catch (error) {
            if (mayHaveArrived(error) && !unclear.has(chat.chatId)) unclear.set(chat.chatId, attempt);
            throw error;
          }
        }),
      ),
    deliver: (chat, message, delivery) => queue.run(chat.chatId, () => deliver(chat, message, delivery)),
    edit: (chat, ref, message, signal) => unlessAborted(signal, () => bot.edit(chat, ref, message, cutOff)),
    remove: (chat, ref, signal) => unlessAborted(signal, () => bot.remove(chat, ref, cutOff)),
    showTyping: (chat, signal) => unlessAborted(signal, () => bot.showTyping(chat, cutOff)),
  };
}

/** A message that the service refused did not arrive. After a network error, it may have. */
function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.problem === 'network';
}

/** The same text in a simpler form that the service may accept. Undefined when there is none. */
function simplerThan(message: OutgoingMessage, problem: ServiceProblem): OutgoingMessage | undefined {
  if (problem !== 'markup' && problem !== 'refused') return undefined;
  const { replyTo, buttons, ...bare } = message;
  if (problem === 'refused' && replyTo !== undefined) return { ...bare, ...(buttons && { buttons }) };
  if (!message.isPlain) return { ...message, isPlain: true };
  return replyTo !== undefined || buttons ? bare : undefined;
}
