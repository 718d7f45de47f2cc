// Telegram as a channel: sends, edits and removes messages through the Bot API.
import type { Api } from 'grammy';
import {
  type Channel,
  ChannelError,
  type ChatAddress,
  type MessageRef,
  type Outgoing,
} from '../core/channel.ts';
import { asChannelCall } from './api-errors.ts';
import { toTelegramHtml } from './markdown-html.ts';
import { MessageNumbers } from './message-numbers.ts';
import { findUnknown } from './sent-probe.ts';

export interface TelegramChannel extends Channel {
  /** A message came in: the next one of ours has a higher number. */
  sawMessage(chatId: string, messageId: number): void;
}

/** What is written down before a message is sent: every message known so far has this number or a lower one. */
interface Attempt {
  readonly after: number;
}

export function createTelegramChannel(
  api: Api,
  marks: {
    readonly known: ReadonlyMap<string, number>;
    readonly keep: (counter: string, highest: number) => Promise<void>;
  },
): TelegramChannel {
  const numbers = new MessageNumbers(marks.known);
  const call = <T>(work: () => Promise<T>) => asChannelCall(work);

  async function send(chat: ChatAddress, message: Outgoing, signal: AbortSignal): Promise<MessageRef> {
    const { text, ...rest } = payloadOf(chat, message);
    const sent = await call(() => api.sendMessage(chat.chatId, text, rest, asGrammySignal(signal)));
    numbers.sent(chat.chatId, sent.message_id);
    await marks.keep(...numbers.mark(chat.chatId));
    return { messageId: String(sent.message_id) };
  }

  return {
    name: 'telegram',
    messageLength: 4_096,
    sawMessage: (chatId, messageId) => numbers.saw(chatId, messageId),
    prepareSend: ({ chatId }): Attempt => ({ after: numbers.highest(chatId) }),
    send: (chat, message, _attempt, signal) => send(chat, message, signal),

    async edit(chat, ref, message, signal) {
      const { text, ...rest } = payloadOf(chat, message);
      const { reply_parameters: _, disable_notification: __, message_thread_id: ___, ...changes } = rest;
      try {
        await call(() =>
          api.editMessageText(chat.chatId, Number(ref.messageId), text, changes, asGrammySignal(signal)),
        );
      } catch (error) {
        if (!(error instanceof ChannelError) || error.problem !== 'unchanged') throw error;
      }
    },

    async remove(chat, ref, signal) {
      await call(() => api.deleteMessage(chat.chatId, Number(ref.messageId), asGrammySignal(signal)));
    },

    async showTyping(chat, signal) {
      const thread = threadOf(chat);
      await call(() => api.sendChatAction(chat.chatId, 'typing', thread, asGrammySignal(signal)));
    },

    findSent: (chat, attempt, signal) =>
      findUnknown({
        after: (attempt as Attempt).after,
        isKnown: (id) => numbers.isOwn(chat.chatId, id),
        highest: async () => {
          const probe = await send(chat, { text: '…', isSilent: true }, signal);
          await call(() => api.deleteMessage(chat.chatId, Number(probe.messageId), asGrammySignal(signal)));
          return Number(probe.messageId);
        },
        isOurs: async (id) => {
          try {
            await call(() => api.editMessageReplyMarkup(chat.chatId, id, {}, asGrammySignal(signal)));
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

function payloadOf(chat: ChatAddress, { text, isPlain, replyTo, buttons, isSilent }: Outgoing) {
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
