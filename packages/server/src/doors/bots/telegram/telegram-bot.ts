// A Telegram bot: sends, edits and removes messages through the Bot API, and finds out after a crash whether a message
// arrived.
import { type Api, GrammyError } from 'grammy';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import {
  type Bot,
  type ChannelName,
  type ChatAddress,
  type MessageRef,
  type OutgoingMessage,
  ServiceError,
} from '../core/bot.ts';
import { callTelegram } from './api-errors.ts';

export interface TelegramBot extends Bot {
  /** A message came in, so our next one has a higher number. */
  sawMessage(chatId: string, messageId: number): void;
  /** A group became a supergroup. */
  sawMove(from: string, to: string): void;
}

/** Stored before a message is sent: every message known so far has this number or a lower one. */
interface Attempt {
  readonly after: number;
}

/** How many message numbers `findSent` checks, newest first. */
const maxChecked = 100;

export function createTelegramBot(
  name: ChannelName,
  api: Api,
  marks: {
    readonly known: ReadonlyMap<string, number>;
    readonly saveMark: (counter: string, highest: number) => Promise<void>;
  },
): TelegramBot {
  const numbers = new MessageNumbers(marks.known);
  const chats = new MovedChats();
  const inChat = <T>({ chatId }: ChatAddress, call: (current: string) => Promise<T>) =>
    callTelegram(() => chats.call(chatId, call));

  async function send(chat: ChatAddress, message: OutgoingMessage, signal: AbortSignal): Promise<MessageRef> {
    const { text, ...rest } = await payloadOf(chat, message);
    const sent = await inChat(chat, (id) => api.sendMessage(id, text, rest, asGrammySignal(signal)));
    const chatId = String(sent.chat.id);
    numbers.sent(chatId, sent.message_id);
    await marks.saveMark(...numbers.mark(chatId));
    return { messageId: String(sent.message_id) };
  }

  async function remove(chat: ChatAddress, { messageId }: MessageRef, signal: AbortSignal): Promise<void> {
    await inChat(chat, (id) => api.deleteMessage(id, Number(messageId), asGrammySignal(signal)));
  }

  /** Sends a message and removes it, to learn the current number. */
  async function probe(chat: ChatAddress, signal: AbortSignal): Promise<number> {
    const message = await send(chat, { text: '…', isSilent: true }, signal);
    await remove(chat, message, signal);
    return Number(message.messageId);
  }

  /** Whether the bot sent the message with this number. An edit that changes nothing fails differently if it did. */
  async function isOurs(chat: ChatAddress, messageId: number, signal: AbortSignal): Promise<boolean> {
    try {
      await inChat(chat, (id) => api.editMessageReplyMarkup(id, messageId, {}, asGrammySignal(signal)));
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.problem === 'unchanged') return true;
      if (error.problem === 'refused') return false;
      throw error;
    }
  }

  return {
    name,
    messageLength: 4_096,
    sawMessage: (chatId, messageId) => numbers.saw(chatId, messageId),
    sawMove: (from, to) => chats.moved(from, to),
    prepareSend: ({ chatId }): Attempt => ({ after: numbers.highest(chats.current(chatId)) }),
    send: (chat, message, _attempt, signal) => send(chat, message, signal),
    remove,

    async edit(chat, ref, message, signal) {
      const { text, ...rest } = await payloadOf(chat, message);
      const { reply_parameters: _, disable_notification: __, message_thread_id: ___, ...changes } = rest;
      try {
        await inChat(chat, (id) =>
          api.editMessageText(id, Number(ref.messageId), text, changes, asGrammySignal(signal)),
        );
      } catch (error) {
        if (!(error instanceof ServiceError) || error.problem !== 'unchanged') throw error;
      }
    },

    async showTyping(chat, signal) {
      const thread = threadOf(chat);
      await inChat(chat, (id) => api.sendChatAction(id, 'typing', thread, asGrammySignal(signal)));
    },

    /**
     * A bot cannot read a chat, but it can check whether any number is one of its own messages. The message in question has a
     * number between the last one known before the attempt and the current one.
     */
    async findSent(chat, attempt, signal) {
      const { after } = attempt as Attempt;
      const top = await probe(chat, signal);
      const bottom = Math.max(after, top - 1 - maxChecked);
      for (let id = top - 1; id > bottom; id -= 1) {
        const isKnown = numbers.isOwn(chats.current(chat.chatId), id);
        if (!isKnown && (await isOurs(chat, id, signal))) return true;
      }
      return bottom === after ? false : undefined;
    },
  };
}

async function payloadOf(chat: ChatAddress, { text, isPlain, replyTo, buttons, isSilent }: OutgoingMessage) {
  // Loaded with the first message, because it would slow down the start.
  const { toTelegramHtml } = await import('./markdown-html.ts');
  return {
    ...threadOf(chat),
    ...(isPlain ? { text } : { text: toTelegramHtml(text), parse_mode: 'HTML' as const }),
    link_preview_options: { is_disabled: true },
    ...(isSilent && { disable_notification: true }),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true },
    }),
    ...(buttons && {
      reply_markup: {
        inline_keyboard: buttons.map((row) =>
          row.map(({ label, data }) => ({ text: label, callback_data: data })),
        ),
      },
    }),
  };
}

function threadOf({ threadId }: ChatAddress) {
  return threadId === undefined ? {} : { message_thread_id: Number(threadId) };
}

type GrammySignal = Parameters<Api['getMe']>[0];

/** grammY declares the signal type of a polyfill; it accepts the real one too. */
export function asGrammySignal(signal: AbortSignal): GrammySignal {
  return signal as GrammySignal;
}

/**
 * The numbers of messages. Private chats and small groups share one counter per bot; each supergroup and each channel
 * has its own.
 */
class MessageNumbers {
  readonly #highest: Map<string, number>;
  readonly #own = new BoundedMap<string, true>(1_000);

  constructor(known: ReadonlyMap<string, number>) {
    this.#highest = new Map(known);
  }

  saw(chatId: string, messageId: number): void {
    const counter = counterOf(chatId);
    this.#highest.set(counter, Math.max(this.#highest.get(counter) ?? 0, messageId));
  }

  sent(chatId: string, messageId: number): void {
    this.saw(chatId, messageId);
    this.#own.set(`${chatId}:${messageId}`, true);
  }

  isOwn(chatId: string, messageId: number): boolean {
    return this.#own.has(`${chatId}:${messageId}`);
  }

  highest(chatId: string): number {
    return this.#highest.get(counterOf(chatId)) ?? 0;
  }

  /** The counter of a chat, and its value. */
  mark(chatId: string): [string, number] {
    return [counterOf(chatId), this.highest(chatId)];
  }
}

/** Ids of supergroups and channels start with -100. */
function counterOf(chatId: string): string {
  return chatId.startsWith('-100') ? chatId : 'bot';
}

/** Groups that became supergroups. They have a new id, and Telegram refuses the old id and names the new one. */
class MovedChats {
  readonly #current = new BoundedMap<string, string>(1_000);

  moved(from: string, to: string): void {
    this.#current.set(from, to);
  }

  current(chatId: string): string {
    return this.#current.get(chatId) ?? chatId;
  }

  /** Calls with the current id of the chat, and once more when Telegram names a new one. */
  async call<T>(chatId: string, call: (current: string) => Promise<T>): Promise<T> {
    try {
      return await call(this.current(chatId));
    } catch (error) {
      const to = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
      if (to === undefined) throw error;
      this.moved(chatId, String(to));
      return call(String(to));
    }
  }
}
