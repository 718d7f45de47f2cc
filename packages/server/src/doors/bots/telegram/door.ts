// The Telegram door: connects a bot to the chat core. It starts in the background, so that an unreachable service does
// not delay anything else.
import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { SendHttp } from '../../../domain/http.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Outbox } from '../../../domain/outbox.ts';
import { createAllowList } from '../core/allow-list.ts';
import { type ChannelName, ServiceError, type SettingPlaces } from '../core/bot.ts';
import type { BotState } from '../core/bot-state.ts';
import type { ChatCore } from '../core/chat-core.ts';
import { commands } from '../core/commands.ts';
import { fetchPicture, type SentPicture } from '../core/fetch-picture.ts';
import { retry } from '../core/retry.ts';
import { Albums } from './albums.ts';
import { callTelegram, failureOf, isRefusedToken } from './api-errors.ts';
import { type Arrival, type PictureFile, toArrival } from './inbound.ts';
import { poll } from './polling.ts';
import { asGrammySignal, createTelegramBot, type TelegramBot } from './telegram-bot.ts';

export interface TelegramDoorOptions {
  readonly name: ChannelName;
  readonly core: ChatCore;
  readonly outbox: Pick<Outbox, 'mark' | 'marks'>;
  readonly token: string;
  readonly apiRoot: string;
  readonly allowFrom: readonly string[];
  readonly places: SettingPlaces;
  /** Downloads the pictures that people send, from `apiRoot`. */
  readonly sendHttp: SendHttp;
  readonly state: BotState;
  readonly logger: Logger;
  /** How long Telegram holds a request when there are no updates. */
  readonly waitSeconds?: number;
}

export interface TelegramDoor {
  /** Resolves when the bot answers messages, or when Telegram refuses its token. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** A call that takes longer is lost. Longer than any poll. */
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
    const { reason } = failureOf(error, places);
    state.failed(reason);
    logger.error(
      { event: 'error', err: error, reason },
      `failed to start the Telegram bot; check ${places.token}`,
    );
  });

  async function start(): Promise<void> {
    const account = await retryUnlessTokenRefused(() => api.getMe(asGrammySignal(signal)));
    state.setBotName(account.username);
    await retryUnlessTokenRefused(() => api.deleteWebhook({}, asGrammySignal(signal)));
    const label = `the Telegram bot @${account.username}`;
    const allowList = createAllowList(options.allowFrom, { label, places });
    if (allowList.warning !== undefined) logger.warn({ bot: account.username }, allowList.warning);
    const bot = createTelegramBot(name, api, {
      known: await options.outbox.marks(name),
      saveMark: (counter, highest) => options.outbox.mark(name, counter, highest),
    });
    await options.core.attach({ bot, allowList, botName: account.username });
    polling = poll({
      api,
      signal,
      state,
      places,
      logger,
      handle: (update) => handle(update, bot),
      ...(options.waitSeconds !== undefined && { waitSeconds: options.waitSeconds }),
    });
    state.running();
    logger.info({ bot: account.username }, 'the Telegram bot is running');
    await registerCommands();
  }

  async function handle(update: Update, bot: TelegramBot): Promise<void> {
    const arrival = read(update);
    if (!arrival) return;
    switch (arrival.kind) {
      case 'press':
        return press(arrival);
      case 'move':
        bot.sawMove(arrival.from.chatId, arrival.to.chatId);
        return options.core.moved(arrival.from, arrival.to);
      case 'message': {
        const { chat, messageId } = arrival.inbound;
        bot.sawMessage(chat.chatId, Number(messageId));
        return albums.add(arrival.inbound, arrival.albumId);
      }
      default:
        return arrival satisfies never;
    }
  }

  /** An update that cannot be read now never will be, so it is logged and skipped. */
  function read(update: Update): Arrival | undefined {
    try {
      return toArrival(update, {
        bot: name,
        fetchPicture: (file, own) => fetchPicture(options.sendHttp, toSentPicture(file, own), own),
      });
    } catch (error) {
      logger.error({ event: 'error', err: error, update: update.update_id }, 'failed to read an update');
      return undefined;
    }
  }

  /** The address must be requested first, and contains the token. */
  function toSentPicture({ fileId, bytes, mediaType }: PictureFile, own: AbortSignal): SentPicture {
    return {
      from: 'Telegram',
      bytes,
      mediaType,
      async locate() {
        const { file_path: path } = await callTelegram(() => api.getFile(fileId, asGrammySignal(own)));
        return `${apiRoot}/file/bot${options.token}/${path}`;
      },
    };
  }

  async function press({ press, queryId }: Extract<Arrival, { kind: 'press' }>): Promise<void> {
    const { text } = await options.core.press(press);
    // When this fails, the button's spinner disappears after a while.
    await api
      .answerCallbackQuery(queryId, { text: text.slice(0, 200) }, asGrammySignal(signal))
      .catch(() => undefined);
  }

  async function registerCommands(): Promise<void> {
    const list = commands.map(({ name, description }) => ({ command: name, description }));
    await api.setMyCommands(list, {}, asGrammySignal(signal)).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to register the commands');
    });
  }

  function retryUnlessTokenRefused<T>(call: () => Promise<T>): Promise<T> {
    return retry(
      async () => {
        try {
          return await callTelegram(call);
        } catch (error) {
          throw isRefusedToken(error) ? new ServiceError('gone', error.message) : error;
        }
      },
      signal,
      (error, waitMs) => {
        state.connecting(failureOf(error, places).reason);
        logger.warn({ event: 'error', reason: error.message, waitMs }, 'failed to reach Telegram; retrying');
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
