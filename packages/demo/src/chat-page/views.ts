// What the page shows for each service: the newest messages of its chat, and whether the bot is typing.
import type { DiscordService } from '../discord/service.ts';
import type { TelegramService } from '../telegram/service.ts';
import { type Run, runsOfEntities, runsOfMarkdown } from './runs.ts';

type ButtonView = { readonly label: string; readonly data: string };

type MessageView = {
  readonly id: string;
  readonly isOwn: boolean;
  readonly runs: readonly Run[];
  readonly buttons: readonly (readonly ButtonView[])[];
  readonly isEdited: boolean;
};

export type ChatView = { readonly messages: readonly MessageView[]; readonly isTyping: boolean };

export type SaidMessage = {
  readonly messageId: number;
  readonly text: string;
  readonly hasPicture: boolean;
};

const maxShown = 100;
const picture: Run = { text: 'A picture', looks: ['quote'] };
/** How long both services show a typing indicator. */
const typingMs = 6_000;

export function telegramView(
  { chats, calls }: TelegramService,
  chatId: number,
  said: readonly SaidMessage[],
): ChatView {
  const own = said.map(({ messageId, text, hasPicture }) => ({
    order: messageId,
    view: {
      id: String(messageId),
      isOwn: true,
      runs: [...(hasPicture ? [picture] : []), { text, looks: [] }],
      buttons: [],
      isEdited: false,
    },
  }));
  const theirs = chats.sent
    .filter((message) => message.chatId === chatId && !message.isDeleted)
    .map((message) => ({
      order: message.messageId,
      view: {
        id: String(message.messageId),
        isOwn: false,
        runs: runsOfEntities(message.text, message.entities),
        buttons: (message.keyboard?.inline_keyboard ?? []).map((row) =>
          row.map(({ text, callback_data: data = '' }) => ({ label: text, data })),
        ),
        isEdited: message.edits > 0,
      },
    }));
  const messages = [...own, ...theirs].toSorted((a, b) => a.order - b.order).map(({ view }) => view);
  const typedAt = calls.findLast(({ method }) => method === 'sendChatAction')?.at;
  const sentAt = calls.findLast(({ method }) => method === 'sendMessage')?.at;
  return { messages: messages.slice(-maxShown), isTyping: isTyping(typedAt, sentAt) };
}

export function discordView({ messages, calls, bot, general }: DiscordService): ChatView {
  const shown = messages
    .filter((message) => message.channelId === general.id && !message.isDeleted)
    .slice(-maxShown)
    .map((message) => ({
      id: message.id,
      isOwn: message.author.id !== bot.id,
      runs: [...message.attachments.map(() => picture), ...runsOfMarkdown(message.content)],
      buttons: message.components.map(({ components }) =>
        components.map(({ label = '', custom_id: data = '' }) => ({ label, data })),
      ),
      isEdited: message.edits > 0,
    }));
  const typedAt = calls.findLast(({ route }) => route === 'POST /channels/:id/typing')?.at;
  const sentAt = calls.findLast(({ route }) => route === 'POST /channels/:id/messages')?.at;
  return { messages: shown, isTyping: isTyping(typedAt, sentAt) };
}

function isTyping(typedAt = 0, sentAt = 0): boolean {
  return typedAt > sentAt && Date.now() - typedAt < typingMs;
}
