// A Discord bot: sends, edits and removes messages through the REST API, and finds out after a crash or a broken
// connection whether a message arrived.
import { randomBytes } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { type APIMessage, Routes } from 'discord-api-types/v10';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Bot, ChannelName, ChatAddress, MessageRef } from '../core/bot.ts';
import { callDiscord } from './api-errors.ts';
import { readCounters } from './channel-readers.ts';
import { editBody, longestMessage, sendBody } from './message-body.ts';
import { greatestAt, later, timeOf } from './snowflakes.ts';

export interface DiscordBot extends Bot {
  /** A message came in, so our next one has a later id. */
  sawMessage(channelId: string, messageId: string): void;
}

/** Stored before a message is sent. */
interface Attempt {
  /** Every message known so far has this id or an earlier one. */
  readonly after: string;
  /** For a few minutes, Discord itself drops a second message with the same nonce. */
  readonly nonce: string;
}

/** Tables are sent as code blocks. */
const roomForFences = 20;
const pageSize = 100;
const maxPages = 10;

export function createDiscordBot(
  name: ChannelName,
  rest: REST,
  botId: string,
  marks: {
    readonly known: ReadonlyMap<string, number>;
    readonly saveMark: (counter: string, highest: number) => Promise<void>;
  },
): DiscordBot {
  const messages = new MessageIds(marks.known);

  async function arrived({ chatId }: ChatAddress, messageId: string): Promise<MessageRef> {
    messages.sent(chatId, messageId);
    await marks.saveMark(...messages.mark(chatId));
    return { messageId };
  }

  return {
    name,
    messageLength: longestMessage - roomForFences,
    sawMessage: (channelId, messageId) => messages.saw(channelId, messageId),
    prepareSend: ({ chatId }): Attempt => ({
      after: messages.newest(chatId),
      nonce: randomBytes(12).toString('hex'),
    }),

    async send(chat, message, attempt, signal) {
      const body = await sendBody(message, (attempt as Attempt).nonce);
      const path = Routes.channelMessages(chat.chatId);
      const { id } = await callDiscord<APIMessage>((own) => rest.post(path, { body, signal: own }), signal);
      return arrived(chat, id);
    },

    async edit({ chatId }, { messageId }, message, signal) {
      const path = Routes.channelMessage(chatId, messageId);
      const body = await editBody(message);
      await callDiscord((own) => rest.patch(path, { body, signal: own }), signal);
    },

    async remove({ chatId }, { messageId }, signal) {
      await callDiscord(
        (own) => rest.delete(Routes.channelMessage(chatId, messageId), { signal: own }),
        signal,
      );
    },

    async showTyping({ chatId }, signal) {
      await callDiscord((own) => rest.post(Routes.channelTyping(chatId), { signal: own }), signal);
    },

    async findSent(chat, attempt, signal) {
      let { after } = attempt as Attempt;
      for (let page = 0; page < maxPages; page += 1) {
        const found = await fetchAfter(rest, chat.chatId, after, signal);
        const unknown = found.find(({ id, author }) => author.id === botId && !messages.isOwn(id));
        if (unknown) {
          await arrived(chat, unknown.id);
          return true;
        }
        if (found.length < pageSize) return false;
        after = found.at(-1)?.id ?? after;
      }
      return undefined;
    },
  };
}

/** The next messages of a channel after an id, oldest first. */
export async function fetchAfter(
  rest: REST,
  channelId: string,
  after: string,
  signal: AbortSignal,
): Promise<readonly APIMessage[]> {
  const query = new URLSearchParams({ after, limit: String(pageSize) });
  const messages = await callDiscord<APIMessage[]>(
    (own) => rest.get(Routes.channelMessages(channelId), { query, signal: own }),
    signal,
  );
  return messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

/** The newest message of each channel, and which messages are the bot's own. */
class MessageIds {
  readonly #marks: ReadonlyMap<string, number>;
  /** For channels that drop out, the marks are good enough. */
  readonly #newest = new BoundedMap<string, string>(10_000);
  readonly #own = new BoundedMap<string, true>(1_000);

  /** `marks` are the stored times of messages that were received and sent. */
  constructor(marks: ReadonlyMap<string, number>) {
    this.#marks = marks;
  }

  saw(channelId: string, messageId: string): void {
    this.#newest.set(channelId, later(this.newest(channelId), messageId));
  }

  sent(channelId: string, messageId: string): void {
    this.saw(channelId, messageId);
    this.#own.set(messageId, true);
  }

  isOwn(messageId: string): boolean {
    return this.#own.has(messageId);
  }

  /** Every message that is known to be in the channel has this id or an earlier one. */
  newest(channelId: string): string {
    const marks = [sentCounter(channelId), ...readCounters(channelId)];
    return (
      this.#newest.get(channelId) ??
      greatestAt(Math.max(0, ...marks.map((mark) => this.#marks.get(mark) ?? 0)))
    );
  }

  /** The counter of a channel's sent messages, and its value. */
  mark(channelId: string): [string, number] {
    return [sentCounter(channelId), timeOf(this.newest(channelId))];
  }
}

function sentCounter(channelId: string): string {
  return `sent:${channelId}`;
}
