// The Telegram door: connects a bot to the chat core. It comes up on its own time, so that a service that cannot be
// reached keeps nothing else from starting.
import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { SendHttp } from '../../../domain/http.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Outbox } from '../../../domain/outbox.ts';
import type { BotState } from '../core/bot-state.ts';
import { ChannelError, type ChannelName, type SettingPlaces } from '../core/channel.ts';
import type { ChatCore } from '../core/chat-core.ts';
import { commands } from '../core/commands.ts';
import { fetchPicture } from '../core/fetch-picture.ts';
import { createGate } from '../core/gate.ts';
import { persistently } from '../core/retry.ts';
import { Albums } from './albums.ts';
import { asChannelCall, isRefusedToken, troubleOf } from './api-errors.ts';
import { type Arrival, toArrival } from './inbound.ts';
import { toSentPicture } from './pictures.ts';
import { poll } from './polling.ts';
import { asGrammySignal, createTelegramChannel, type TelegramChannel } from './telegram-channel.ts';

export interface TelegramDoorOptions {
  readonly name: ChannelName;
  readonly core: ChatCore;
  readonly outbox: Pick<Outbox, 'mark' | 'marks'>;
  readonly token: string;
  readonly apiRoot: string;
  readonly allowFrom: readonly string[];
  readonly places: SettingPlaces;
  /** Fetches the pictures that people send, from `apiRoot`. */
  readonly sendHttp: SendHttp;
  readonly state: BotState;
  readonly logger: Logger;
  /** How long the service holds a request that has nothing to answer. */
  readonly waitSeconds?: number;
}

export interface TelegramDoor {
  /** Resolves when the bot answers messages, or cannot because its token is refused. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** A call that takes longer has been lost on the way. Longer than any poll. */
const callSeconds = 90;

export function openTelegramDoor(options: TelegramDoorOptions): TelegramDoor {
  const closing = new AbortController();
  const { signal } = closing;
  const { name, state, places } = options;
  const logger = options.logger.child({ channel: name });
  const apiRoot = options.apiRoot.replace(/\/+$/, '');
  const api = new Api(options.token, { apiRoot, timeoutSeconds: callSeconds });
  const albums = new Albums((first, others) => options.core.receive(first, others));
  let polling: Promise<void> = Promise.resolve();

  const ready = start().catch((error: unknown) => {
    if (signal.aborted) return;
    const { sentence: reason } = troubleOf(error, places);
    state.failed(reason);
    logger.error(
      { event: 'error', err: error, reason },
      `the Telegram bot could not start; look at ${places.token}`,
    );
  });

  async function start(): Promise<void> {
    const bot = await untilItAnswers(() => api.getMe(asGrammySignal(signal)));
    state.named(bot.username);
    await untilItAnswers(() => api.deleteWebhook({}, asGrammySignal(signal)));
    const gate = createGate(options.allowFrom, {
      label: `The Telegram bot @${bot.username}`,
      places,
    });
    if (gate.remark !== undefined) logger.warn({ bot: bot.username }, gate.remark);
    const channel = createTelegramChannel(name, api, {
      known: await options.outbox.marks(name),
      keep: (counter, highest) => options.outbox.mark(name, counter, highest),
    });
    await options.core.attach({ channel, gate, botName: bot.username });
    polling = poll({
      api,
      signal,
      state,
      places,
      logger,
      handle: (update) => handle(update, channel),
      ...(options.waitSeconds !== undefined && { waitSeconds: options.waitSeconds }),
    });
    state.running();
    logger.info({ bot: bot.username }, 'the Telegram bot answers');
    await registerCommands();
  }

  async function handle(update: Update, channel: TelegramChannel): Promise<void> {
    const arrival = read(update);
    if (!arrival) return;
    switch (arrival.kind) {
      case 'press':
        return press(arrival);
      case 'move':
        channel.sawMove(arrival.from.chatId, arrival.to.chatId);
        return options.core.moved(arrival.from, arrival.to);
      case 'message': {
        const { chat, messageId } = arrival.inbound;
        channel.sawMessage(chat.chatId, Number(messageId));
        return albums.add(arrival.inbound, arrival.albumId);
      }
      default:
        return arrival satisfies never;
    }
  }

  /** An update that cannot be read would never be: it is logged and passed over. */
  function read(update: Update): Arrival | undefined {
    try {
      return toArrival(update, {
        bot: name,
        fetchPicture: (picture, own) =>
          fetchPicture(options.sendHttp, toSentPicture({ ...options, api, apiRoot }, picture, own), own),
      });
    } catch (error) {
      logger.error({ event: 'error', err: error, update: update.update_id }, 'an update could not be read');
      return undefined;
    }
  }

  async function press({ press, queryId }: Extract<Arrival, { kind: 'press' }>): Promise<void> {
    const { text } = await options.core.press(press);
    // The little circle on the button goes away by itself when this fails.
    await api
      .answerCallbackQuery(queryId, { text: text.slice(0, 200) }, asGrammySignal(signal))
      .catch(() => undefined);
  }

  async function registerCommands(): Promise<void> {
    const list = commands.map(({ name, description }) => ({ command: name, description }));
    await api.setMyCommands(list, {}, asGrammySignal(signal)).catch((error: unknown) => {
      if (!signal.aborted)
        logger.warn({ event: 'error', err: error }, 'the commands could not be registered');
    });
  }

  /** A token that is refused ends it; everything else is waited for. */
  function untilItAnswers<T>(call: () => Promise<T>): Promise<T> {
    return persistently(
      async () => {
        try {
          return await asChannelCall(call);
        } catch (error) {
          throw isRefusedToken(error) ? new ChannelError('gone', error.message) : error;
        }
      },
      signal,
      (error, waitMs) => {
        state.connecting(troubleOf(error, places).sentence);
        logger.warn({ event: 'error', reason: error.message, waitMs }, 'Telegram cannot be reached yet');
      },
    );
  }

  return {
    ready,
    async close() {
      closing.abort();
      albums.close();
      await ready;
      await polling;
    },
  };
}
