// Discord as a channel: sends, edits and removes messages through the REST API.
import { randomBytes } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { type APIMessage, Routes } from 'discord-api-types/v10';
import type { Channel, ChannelName, ChatAddress, MessageRef } from '../core/channel.ts';
import { asChannelCall } from './api-errors.ts';
import { editBody, longestMessage, sendBody } from './message-body.ts';
import { SentMessages } from './sent-messages.ts';

export interface DiscordChannel extends Channel {
  /** A message came in: the next one of ours has a later id. */
  sawMessage(channelId: string, messageId: string): void;
}

/** What is written down before a message is sent: every message known so far has this id or an earlier one. */
interface Attempt {
  readonly after: string;
  /** With it the service itself refuses the same message a second time, for some minutes. */
  readonly nonce: string;
}

/** A table gets fences around it. */
const roomForFences = 20;
const pageSize = 100;
const mostPages = 10;

export function createDiscordChannel(
  name: ChannelName,
  rest: REST,
  botId: string,
  marks: {
    readonly known: ReadonlyMap<string, number>;
    readonly keep: (counter: string, highest: number) => Promise<void>;
  },
): DiscordChannel {
  const sent = new SentMessages(marks.known);

  async function arrived({ chatId }: ChatAddress, messageId: string): Promise<MessageRef> {
    sent.sent(chatId, messageId);
    await marks.keep(...sent.mark(chatId));
    return { messageId };
  }

  return {
    name,
    messageLength: longestMessage - roomForFences,
    sawMessage: (channelId, messageId) => sent.saw(channelId, messageId),
    prepareSend: ({ chatId }): Attempt => ({
      after: sent.newest(chatId),
      nonce: randomBytes(12).toString('hex'),
    }),

    async send(chat, message, attempt, signal) {
      const body = await sendBody(message, (attempt as Attempt).nonce);
      const path = Routes.channelMessages(chat.chatId);
      const { id } = await asChannelCall<APIMessage>((own) => rest.post(path, { body, signal: own }), signal);
      return arrived(chat, id);
    },

    async edit({ chatId }, { messageId }, message, signal) {
      const path = Routes.channelMessage(chatId, messageId);
      const body = await editBody(message);
      await asChannelCall((own) => rest.patch(path, { body, signal: own }), signal);
    },

    async remove({ chatId }, { messageId }, signal) {
      await asChannelCall(
        (own) => rest.delete(Routes.channelMessage(chatId, messageId), { signal: own }),
        signal,
      );
    },

    async showTyping({ chatId }, signal) {
      await asChannelCall((own) => rest.post(Routes.channelTyping(chatId), { signal: own }), signal);
    },

    async findSent(chat, attempt, signal) {
      let { after } = attempt as Attempt;
      for (let page = 0; page < mostPages; page += 1) {
        const messages = await fetchAfter(rest, chat.chatId, after, signal);
        const found = messages.find(({ id, author }) => author.id === botId && !sent.isOwn(id));
        if (found) {
          await arrived(chat, found.id);
          return true;
        }
        if (messages.length < pageSize) return false;
        after = messages.at(-1)?.id ?? after;
      }
      return undefined;
    },
  };
}

/** The messages of a channel that come next after an id, oldest first. */
export async function fetchAfter(
  rest: REST,
  channelId: string,
  after: string,
  signal: AbortSignal,
): Promise<readonly APIMessage[]> {
  const query = new URLSearchParams({ after, limit: String(pageSize) });
  const messages = await asChannelCall<APIMessage[]>(
    (own) => rest.get(Routes.channelMessages(channelId), { query, signal: own }),
    signal,
  );
  return messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}
