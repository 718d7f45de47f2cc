// The chats that the bot is in, and every message in them.
import { dropOldest } from '../drop-oldest.ts';
import {
  badRequest,
  type InlineKeyboard,
  type MessageEntity,
  Refusal,
  type TelegramChat,
  type TelegramMessage,
} from './wire.ts';

/** A message of the bot, kept up to date when it is edited or deleted. */
export type SentMessage = {
  readonly chatId: number;
  readonly messageId: number;
  readonly threadId: number | undefined;
  readonly replyTo: number | undefined;
  readonly isSilent: boolean;
  /** As people see it. */
  text: string;
  entities: readonly MessageEntity[];
  keyboard: InlineKeyboard | undefined;
  /** How often it was edited. */
  edits: number;
  isDeleted: boolean;
};

export type NewMessage = Omit<SentMessage, 'messageId' | 'edits' | 'isDeleted'>;

const longestText = 4_096;
/** Over all chats; older messages are forgotten. */
const maxMessages = 20_000;
const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

export class Chats {
  readonly #chats = new Map<number, TelegramChat>();
  readonly #foreign = new Set<string>();
  readonly #own = new Map<string, SentMessage>();
  readonly #counters = new Map<number | 'own', number>();
  readonly #upgraded = new Map<number, number>();
  readonly blocked = new Set<number>();
  readonly sent: SentMessage[] = [];

  open(chat: TelegramChat): TelegramChat {
    const known = this.#chats.get(chat.id) ?? chat;
    this.#chats.set(chat.id, known);
    return known;
  }

  upgrade(groupId: number, supergroup: TelegramChat): void {
    this.open(supergroup);
    this.#upgraded.set(groupId, supergroup.id);
  }

  /** A message from a person. */
  receive(chat: TelegramChat): number {
    const id = this.#nextId(this.open(chat));
    this.#foreign.add(`${chat.id}:${id}`);
    dropOldest(this.#foreign, maxMessages);
    return id;
  }

  send(message: NewMessage, options: { allowWithoutReply: boolean }): SentMessage {
    const chat = this.#chats.get(message.chatId);
    if (!chat) throw badRequest('chat not found');
    const upgraded = this.#upgraded.get(chat.id);
    if (upgraded !== undefined)
      throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: upgraded,
      });
    if (this.blocked.has(chat.id)) throw new Refusal(403, 'Forbidden: bot was blocked by the user');
    checkText(message.text);
    checkKeyboard(message.keyboard);
    if (
      message.replyTo !== undefined &&
      !this.#exists(chat.id, message.replyTo) &&
      !options.allowWithoutReply
    ) {
      throw badRequest('message to be replied not found');
    }
    const sent: SentMessage = { ...message, messageId: this.#nextId(chat), edits: 0, isDeleted: false };
    this.sent.push(sent);
    if (this.sent.length > maxMessages) this.sent.shift();
    this.#own.set(`${chat.id}:${sent.messageId}`, sent);
    dropOldest(this.#own, maxMessages);
    return sent;
  }

  editText(
    chatId: number,
    messageId: number,
    change: Pick<SentMessage, 'text' | 'entities' | 'keyboard'>,
  ): SentMessage {
    const message = this.#editable(chatId, messageId);
    checkText(change.text);
    checkKeyboard(change.keyboard);
    if (isSame(change, message)) throw badRequest(notModified);
    Object.assign(message, change);
    message.edits += 1;
    return message;
  }

  editKeyboard(chatId: number, messageId: number, keyboard: InlineKeyboard | undefined): SentMessage {
    const message = this.#editable(chatId, messageId);
    checkKeyboard(keyboard);
    if (isSame({ ...message, keyboard }, message)) throw badRequest(notModified);
    message.keyboard = keyboard;
    message.edits += 1;
    return message;
  }

  remove(chatId: number, messageId: number): void {
    const message = this.#find(chatId, messageId);
    if (!message || message.isDeleted) throw badRequest('message to delete not found');
    message.isDeleted = true;
  }

  wire(message: SentMessage, from: Readonly<Record<string, unknown>>): TelegramMessage {
    const chat = this.#chats.get(message.chatId);
    if (!chat) throw badRequest('chat not found');
    return {
      message_id: message.messageId,
      date: Math.floor(Date.now() / 1_000),
      chat,
      from,
      text: message.text,
      ...(message.entities.length > 0 && { entities: message.entities }),
      ...(message.threadId !== undefined && {
        message_thread_id: message.threadId,
        is_topic_message: true,
      }),
      ...(message.keyboard && { reply_markup: message.keyboard }),
    };
  }

  #editable(chatId: number, messageId: number): SentMessage {
    if (this.#foreign.has(`${chatId}:${messageId}`)) throw badRequest("message can't be edited");
    const message = this.#find(chatId, messageId);
    if (!message || message.isDeleted) throw badRequest('message to edit not found');
    return message;
  }

  #find(chatId: number, messageId: number): SentMessage | undefined {
    return this.#own.get(`${chatId}:${messageId}`);
  }

  #exists(chatId: number, messageId: number): boolean {
    return this.#foreign.has(`${chatId}:${messageId}`) || this.#find(chatId, messageId)?.isDeleted === false;
  }

  /** Supergroups and channels have their own counters; all other chats share the bot's counter. */
  #nextId({ id, type }: TelegramChat): number {
    const counter = type === 'supergroup' || type === 'channel' ? id : 'own';
    const next = (this.#counters.get(counter) ?? 0) + 1;
    this.#counters.set(counter, next);
    return next;
  }
}

function checkText(text: string): void {
  if (text.trim() === '') throw badRequest('message text is empty');
  if (text.length > longestText) throw badRequest('message is too long');
}

function checkKeyboard(keyboard: InlineKeyboard | undefined): void {
  const buttons = keyboard?.inline_keyboard.flat() ?? [];
  if (buttons.length > 100) throw badRequest('reply markup is too long');
  for (const { text, callback_data: data = '' } of buttons) {
    if (text === '')
      throw badRequest(
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      );
    if (Buffer.byteLength(data) > 64) throw badRequest('BUTTON_DATA_INVALID');
  }
}

function isSame(
  a: Pick<SentMessage, 'text' | 'entities' | 'keyboard'>,
  b: Pick<SentMessage, 'text' | 'entities' | 'keyboard'>,
): boolean {
  const whole = ({ text, entities, keyboard }: typeof a) =>
    JSON.stringify([text, entities, keyboard?.inline_keyboard ?? []]);
  return whole(a) === whole(b);
}
