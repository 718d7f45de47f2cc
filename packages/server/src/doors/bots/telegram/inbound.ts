// Translates the updates of the Bot API for core: messages, pressed buttons and moved chats. Pure, except that pictures
// and files are downloaded on demand.
import type { PromptPart } from '@parley/protocol';
import type { Message, Update } from 'grammy/types';
import type { ChannelName, ChatAddress, Inbound, InboundContent, Press, Sender } from '../core/bot.ts';

export type Arrival =
  /** Photos of the same album share its id. */
  | { readonly kind: 'message'; readonly inbound: Inbound; readonly albumId: string | undefined }
  | { readonly kind: 'press'; readonly press: Press; readonly queryId: string }
  /** A group became a supergroup, which has a new id. */
  | { readonly kind: 'move'; readonly from: ChatAddress; readonly to: ChatAddress };

export interface TelegramFile {
  readonly fileId: string;
  /** Pictures have none. */
  readonly name: string | undefined;
  readonly bytes: number | undefined;
}

type FetchAttachment = (file: TelegramFile, signal: AbortSignal) => Promise<PromptPart>;

export interface InboundContext {
  /** The name of the bot. */
  readonly bot: ChannelName;
  readonly fetchAttachment: FetchAttachment;
}

/** The kinds of updates to ask for. Not edits: the original message has been answered. */
export const wantedUpdates = ['message', 'channel_post', 'callback_query'] as const;

/** Undefined for updates that get no answer, such as somebody joining a group. */
export function toArrival(update: Update, { bot, fetchAttachment }: InboundContext): Arrival | undefined {
  const query = update.callback_query;
  if (query) {
    const { message, data } = query;
    if (!message || data === undefined) return undefined;
    const sender: Sender = { id: String(query.from.id), isBot: query.from.is_bot };
    const ref = { messageId: String(message.message_id) };
    // An old message has no content, but its chat and number are enough.
    const press = { chat: addressOf(message, bot), sender, data, message: ref };
    return { kind: 'press', press, queryId: query.id };
  }
  const message = update.message ?? update.channel_post;
  if (message?.migrate_to_chat_id !== undefined) {
    const from = addressOf(message, bot);
    return { kind: 'move', from, to: { ...from, chatId: String(message.migrate_to_chat_id) } };
  }
  const sender = message && senderOf(message);
  if (!message || !sender) return undefined;
  const content = contentOf(message, fetchAttachment);
  if (!content) return undefined;
  return {
    kind: 'message',
    albumId: message.media_group_id,
    inbound: {
      key: `${bot}:${update.update_id}`,
      chat: addressOf(message, bot),
      sender,
      messageId: String(message.message_id),
      content,
    },
  };
}

/** A message sent as a chat has that chat as its sender: a channel, or a group with an anonymous admin. */
function senderOf({ sender_chat: as, from }: Message): Sender | undefined {
  if (as) return { id: String(as.id), isBot: false };
  return from && { id: String(from.id), isBot: from.is_bot };
}

function addressOf(message: Message, bot: ChannelName): ChatAddress {
  const { chat, message_thread_id: thread } = message;
  const isTopic = message.is_topic_message === true && thread !== undefined;
  return {
    channel: bot,
    chatId: String(chat.id),
    ...(isTopic && { threadId: String(thread) }),
    isPrivate: chat.type === 'private',
  };
}

function contentOf(message: Message, fetchAttachment: FetchAttachment): InboundContent | undefined {
  if (message.text !== undefined) return { kind: 'text', text: message.text };
  const file = fileOf(message);
  if (file) {
    return {
      kind: 'text',
      text: message.caption ?? '',
      loadAttachments: async (signal) => [await fetchAttachment(file, signal)],
    };
  }
  const what = unsupported.find(([field]) => message[field] !== undefined)?.[1];
  return what === undefined ? undefined : { kind: 'unsupported', what };
}

/** The largest size of a photo, or a file. Telegram also sends animations as files. */
function fileOf({ photo, document, animation }: Message): TelegramFile | undefined {
  const largest = photo?.at(-1);
  if (largest) return { fileId: largest.file_id, name: undefined, bytes: largest.file_size };
  if (!document || animation) return undefined;
  const isPicture = document.mime_type?.startsWith('image/') === true;
  const name = isPicture ? undefined : (document.file_name ?? 'file');
  return { fileId: document.file_id, name, bytes: document.file_size };
}

/** What people send besides text. Messages with none of these are notices from Telegram itself. */
const unsupported = [
  ['voice', 'Voice messages'],
  ['video_note', 'Video messages'],
  ['video', 'Videos'],
  ['animation', 'Animations'],
  ['audio', 'Audio files'],
  ['sticker', 'Stickers'],
  ['location', 'Locations'],
  ['contact', 'Contacts'],
  ['poll', 'Polls'],
  ['checklist', 'Checklists'],
  ['dice', 'Dice'],
  ['game', 'Games'],
  ['story', 'Stories'],
  ['paid_media', 'Paid media'],
] as const satisfies readonly (readonly [keyof Message, string])[];
