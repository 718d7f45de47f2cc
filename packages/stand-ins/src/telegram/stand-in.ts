// A stand-in of the Telegram Bot API: what tests and the demo page put into chats, and see in them.
import { randomBytes } from 'node:crypto';
import { listenOnLoopback } from '../loopback-server.ts';
import {
  answerBotApi,
  type BotApiParts,
  type TelegramCall,
  type TelegramFault,
  type TelegramFile,
} from './bot-api.ts';
import { Chats, type SentMessage } from './chats.ts';
import { UpdateQueue } from './update-queue.ts';
import type { MessageFields, TelegramChat, TelegramUser } from './wire.ts';

export type TelegramStandInOptions = {
  readonly token?: string;
  readonly port?: number;
};

export type InjectedMessage = {
  readonly chat?: TelegramChat;
  readonly from?: TelegramUser;
  /** Whatever the message holds: `text`, `voice`, `message_thread_id` … */
  readonly fields?: MessageFields;
};

export type TelegramStandIn = {
  /** For `apiRoot`. */
  readonly url: string;
  readonly token: string;
  readonly bot: TelegramUser;
  /** Every message the bot ever sent, in order, as it is now. */
  readonly sent: readonly SentMessage[];
  /** The newest calls of all methods, in order; a bounded number of them. */
  readonly calls: readonly TelegramCall[];
  /** How many updates have not been confirmed. */
  readonly pendingUpdates: number;
  /** The bot may write there although nobody has yet. */
  openChat(chat: TelegramChat): void;
  /** A message of somebody, in their private chat with the bot unless said otherwise. Returns its ids. */
  inject(message: InjectedMessage): { readonly updateId: number; readonly messageId: number };
  /** A message as `inject`, of another kind of update. */
  injectAs(
    kind: 'edited_message' | 'channel_post' | 'edited_channel_post',
    message: InjectedMessage,
  ): { readonly updateId: number; readonly messageId: number };
  /** Somebody presses a button. */
  pressButton(press: {
    readonly from: TelegramUser;
    readonly message: SentMessage;
    readonly data: string;
  }): number;
  /** Makes a file that the bot can fetch; returns its id. */
  addFile(bytes: Uint8Array, path?: string): string;
  block(chatId: number): void;
  /** A group becomes a supergroup: it has another id from now on, and the bot is told so in both chats. */
  upgrade(group: TelegramChat, supergroup: TelegramChat): void;
  /** The next calls of the method meet these faults, one each. */
  failNext(method: string, ...faults: readonly TelegramFault[]): void;
  /** What people see in a chat now, oldest first. */
  visible(chatId: number): readonly SentMessage[];
  /** Resolves when the condition holds; it is looked at when a call comes in, and again before it is answered. Rejects when the signal aborts. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void>;
  /** How often each update was handed out. */
  readonly handedOut: ReadonlyMap<number, number>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const mostCalls = 20_000;
const mostFiles = 100;

export async function startTelegramStandIn(options: TelegramStandInOptions = {}): Promise<TelegramStandIn> {
  const token = options.token ?? `4711:${randomBytes(24).toString('base64url')}`;
  const bot: TelegramUser = { id: 4711, is_bot: true, first_name: 'Parley', username: 'parley_test_bot' };
  const chats = new Chats();
  const updates = new UpdateQueue();
  const files = new Map<string, TelegramFile>();
  const faults = new Map<string, TelegramFault[]>();
  const calls: TelegramCall[] = [];
  const watchers = new Set<() => void>();
  const closing = new AbortController();
  let fileCount = 0;
  // Later than those of every stand-in before: a bot remembers which updates it has seen.
  let lastUpdate = Math.floor(Date.now() / 1_000);

  const parts: BotApiParts = {
    token,
    bot,
    chats,
    updates,
    files,
    closing: closing.signal,
    takeFault: (method) => faults.get(method)?.shift(),
    onCall(call) {
      calls.push(call);
      if (calls.length > mostCalls) calls.shift();
      parts.onChange();
    },
    onChange() {
      for (const look of watchers) look();
    },
  };
  const server = await listenOnLoopback((request, response) => {
    answerBotApi(request, response, parts).catch(() => response.destroy());
  }, options.port);

  function injectUpdate(kind: string, message: InjectedMessage) {
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
  }

  const close = async () => {
    closing.abort();
    await server.close();
  };

  return {
    url: server.url,
    token,
    bot,
    sent: chats.sent,
    calls,
    handedOut: updates.handedOut,
    get pendingUpdates() {
      return updates.pending.length;
    },
    openChat: (chat) => void chats.open(chat),
    inject: (message) => injectUpdate('message', message),
    injectAs: injectUpdate,
    pressButton({ from, message, data }) {
      const updateId = ++lastUpdate;
      const query = { id: randomBytes(8).toString('hex'), from, chat_instance: '1', data };
      updates.add({ update_id: updateId, callback_query: { ...query, message: chats.wire(message, bot) } });
      return updateId;
    },
    addFile(bytes, path) {
      const number = fileCount++;
      const id = `file-${number}`;
      files.set(id, { path: path ?? `photos/file_${number}.jpg`, bytes });
      files.delete(`file-${number - mostFiles}`);
      return id;
    },
    block: (chatId) => void chats.blocked.add(chatId),
    upgrade(group, supergroup) {
      chats.upgrade(group.id, supergroup);
      injectUpdate('message', { chat: group, fields: { migrate_to_chat_id: supergroup.id } });
      injectUpdate('message', { chat: supergroup, fields: { migrate_from_chat_id: group.id } });
    },
    failNext(method, ...wanted) {
      faults.set(method, [...(faults.get(method) ?? []), ...wanted]);
    },
    visible: (chatId) => chats.sent.filter((message) => message.chatId === chatId && !message.isDeleted),
    until: (condition, signal) => until(condition, watchers, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const somebody: TelegramUser = { id: 1001, is_bot: false, first_name: 'Petra' };

function until(condition: () => boolean, watchers: Set<() => void>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      watchers.delete(look);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('waited in vain'));
    };
    const look = () => {
      if (!condition()) return;
      watchers.delete(look);
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    watchers.add(look);
    signal?.addEventListener('abort', onAbort, { once: true });
    look();
  });
}
