// Telegram as a channel: sends, edits and removes messages through the Bot API.
import type { Api } from 'grammy';
import {
  type Channel,
  ChannelError,
  type ChannelName,
  type ChatAddress,
  type MessageRef,
  type Outgoing,
} from '../core/channel.ts';
import { asChannelCall } from './api-errors.ts';
import { MessageNumbers } from './message-numbers.ts';
import { MovedChats } from './moved-chats.ts';
import { findUnknown } from './sent-probe.ts';

export interface TelegramChannel extends Channel {
  /** A message came in: the next one of ours has a higher number. */
  sawMessage(chatId: string, messageId: number): void;
  /** A group became a supergroup. */
  sawMove(from: string, to: string): void;
}

/** What is written down before a message is sent: every message known so far has this number or a lower one. */
interface Attempt {
  readonly after: number;
}

export function createTelegramChannel(
  name: ChannelName,
  api: Api,
  marks: {
    readonly known: ReadonlyMap<string, number>;
    readonly keep: (counter: string, highest: number) => Promise<void>;
  },
): TelegramChannel {
  const numbers = new MessageNumbers(marks.known);
  const chats = new MovedChats();
  const inChat = <T>({ chatId }: ChatAddress, call: (now: string) => Promise<T>) =>
    asChannelCall(() => chats.find(chatId, call));

  async function send(chat: ChatAddress, message: Outgoing, signal: AbortSignal): Promise<MessageRef> {
    const { text, ...rest } = await payloadOf(chat, message);
    const sent = await inChat(chat, (id) => api.sendMessage(id, text, rest, asGrammySignal(signal)));
    const chatId = String(sent.chat.id);
    numbers.sent(chatId, sent.message_id);
    await marks.keep(...numbers.mark(chatId));
    return { messageId: String(sent.message_id) };
  }

  async function remove(chat: ChatAddress, { messageId }: MessageRef, signal: AbortSignal): Promise<void> {
    await inChat(chat, (id) => api.deleteMessage(id, Number(messageId), asGrammySignal(signal)));
  }

  return {
    name,
    messageLength: 4_096,
    sawMessage: (chatId, messageId) => numbers.saw(chatId, messageId),
    sawMove: (from, to) => chats.moved(from, to),
    prepareSend: ({ chatId }): Attempt => ({ after: numbers.highest(chats.now(chatId)) }),
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
        if (!(error instanceof ChannelError) || error.problem !== 'unchanged') throw error;
      }
    },

    async showTyping(chat, signal) {
      const thread = threadOf(chat);
      await inChat(chat, (id) => api.sendChatAction(id, 'typing', thread, asGrammySignal(signal)));
    },

    findSent: (chat, attempt, signal) =>
      findUnknown({
        after: (attempt as Attempt).after,
        isKnown: (id) => numbers.isOwn(chats.now(chat.chatId), id),
        highest: async () => {
          const probe = await send(chat, { text: '…', isSilent: true }, signal);
          await remove(chat, probe, signal);
          return Number(probe.messageId);
        },
        isOurs: async (messageId) => {
          try {
            await inChat(chat, (id) => api.editMessageReplyMarkup(id, messageId, {}, asGrammySignal(signal)));
            return true;
          } catch (error) {
            if (!(error instanceof ChannelError)) throw error;
            if (error.problem === 'unchanged') return true;
            if (error.problem === 'refused') return false;
            throw error;
          }
        },
      }),
  };
}

async function payloadOf(chat: ChatAddress, { text, isPlain, replyTo, buttons, isSilent }: Outgoing) {
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

/** grammY names the signal type of a polyfill; it takes the real one as well. */
export function asGrammySignal(signal: AbortSignal): GrammySignal {
  return signal as GrammySignal;
}
