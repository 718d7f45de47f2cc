// The Telegram Bot API as a loopback service: put messages into chats, and see what the bot sends.
import { randomBytes } from 'node:crypto';
import { ChangeSignal } from '../change-signal.ts';
import { listenOnLoopback } from '../loopback-server.ts';
import { answerBotApi, type BotApiParts, type TelegramCall, type TelegramFile } from './bot-api.ts';
import { Chats, type SentMessage } from './chats.ts';
import { UpdateQueue } from './update-queue.ts';
import type { MessageFields, TelegramChat, TelegramUser } from './wire.ts';

export type TelegramServiceOptions = {
  readonly token?: string;
  readonly port?: number;
  readonly intercept?: BotApiParts['intercept'];
};

export type InjectedMessage = {
  readonly chat?: TelegramChat;
  readonly from?: TelegramUser;
  /** Whatever the message contains: `text`, `voice`, `message_thread_id` … */
  readonly fields?: MessageFields;
};

export type MessageUpdateKind = 'message' | 'edited_message' | 'channel_post' | 'edited_channel_post';

export type TelegramService = {
  /** For `apiRoot`. */
  readonly url: string;
  readonly token: string;
  readonly bot: TelegramUser;
  readonly chats: Chats;
  readonly updates: UpdateQueue;
  /** The newest calls of all methods, in order; bounded. */
  readonly calls: readonly TelegramCall[];
  /** Lets the bot write to a chat before anybody has written to the bot. */
  openChat(chat: TelegramChat): void;
  /** A person's message, in their private chat with the bot by default. Returns its ids. */
  inject(
    message: InjectedMessage,
    kind?: MessageUpdateKind,
  ): { readonly updateId: number; readonly messageId: number };
  /** A person presses a button. Returns the id of the callback query. */
  pressButton(press: {
    readonly from: TelegramUser;
    readonly message: SentMessage;
    readonly data: string;
  }): string;
  /** Makes a file that the bot can fetch; returns its id. */
  addFile(bytes: Uint8Array, path?: string): string;
  /** The bot's messages in a chat as people see them now, oldest first. */
  visible(chatId: number): readonly SentMessage[];
  /** Emits when a call arrives, and again before it is answered. */
  readonly changes: ChangeSignal;
  close(): Promise<void>;
};

const maxCalls = 20_000;
const maxFiles = 100;

export async function startTelegramService(options: TelegramServiceOptions = {}): Promise<TelegramService> {
  const token = options.token ?? `4711:${randomBytes(24).toString('base64url')}`;
  const bot: TelegramUser = { id: 4711, is_bot: true, first_name: 'Parley', username: 'parley_test_bot' };
  const chats = new Chats();
  const updates = new UpdateQueue();
  const files = new Map<string, TelegramFile>();
  const calls: TelegramCall[] = [];
  const changes = new ChangeSignal();
  const closing = new AbortController();
  let fileCount = 0;
  // Higher than in any earlier run: a bot remembers which updates it has seen.
  let lastUpdate = Math.floor(Date.now() / 1_000);

  const parts: BotApiParts = {
    token,
    bot,
    chats,
    updates,
    files,
    closing: closing.signal,
    intercept: options.intercept ?? ((_, proceed) => proceed()),
    onCall(call) {
      calls.push(call);
      if (calls.length > maxCalls) calls.shift();
      changes.emit();
    },
    onChange: () => changes.emit(),
  };
  const server = await listenOnLoopback((request, response) => {
    answerBotApi(request, response, parts).catch(() => response.destroy());
  }, options.port);

  return {
    url: server.url,
    token,
    bot,
    chats,
    updates,
    calls,
    changes,
    openChat: (chat) => void chats.open(chat),
    inject(message, kind = 'message') {
      const from = message.from ?? somebody;
      const chat = message.chat ?? { id: from.id, type: 'private', first_name: from.first_name };
      const messageId = chats.receive(chat);
      const author = chat.type === 'channel' ? { sender_chat: chat } : { from };
      const date = Math.floor(Date.now() / 1_000);
      const updateId = ++lastUpdate;
      const edited = kind.startsWith('edited_') ? { edit_date: date } : {};
      updates.add({
        update_id: updateId,
        [kind]: { message_id: messageId, date, chat, ...author, ...edited, ...message.fields },
      });
      return { updateId, messageId };
    },
    pressButton({ from, message, data }) {
      const query = { id: randomBytes(8).toString('hex'), from, chat_instance: '1', data };
      updates.add({
        update_id: ++lastUpdate,
        callback_query: { ...query, message: chats.wire(message, bot) },
      });
      return query.id;
    },
    addFile(bytes, path) {
      const number = fileCount++;
      const id = `file-${number}`;
      files.set(id, { path: path ?? `photos/file_${number}.jpg`, bytes });
      files.delete(`file-${number - maxFiles}`);
      return id;
    },
    visible: (chatId) => chats.sent.filter((message) => message.chatId === chatId && !message.isDeleted),
    async close() {
      closing.abort();
      await server.close();
    },
  };
}

const somebody: TelegramUser = { id: 1001, is_bot: false, first_name: 'Petra' };
