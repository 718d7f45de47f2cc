// The Telegram door: connects a bot to the chat core.
import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { SettingPlaces } from '../core/bot.ts';
import { type BotDoor, type BotDoorOptions, prepareStart } from '../core/bot-door.ts';
import { commands } from '../core/commands.ts';
import { fetchAttachment, type SentAttachment } from '../core/fetch-attachment.ts';
import { Albums } from './albums.ts';
import { callTelegram, failureOf, isRefusedToken } from './api-errors.ts';
import { type Arrival, type TelegramFile, toArrival } from './inbound.ts';
import { poll } from './polling.ts';
import { asGrammySignal, createTelegramBot, type TelegramBot } from './telegram-bot.ts';

export interface TelegramDoorOptions extends BotDoorOptions {
  /** How long Telegram holds a request when there are no updates. */
  readonly waitSeconds?: number;
  readonly callSeconds?: number;
}

const reasonFor = (error: unknown, places: SettingPlaces) => failureOf(error, places).reason;
/** A call that takes longer counts as lost. Its chat waits until then. */
const callSeconds = 10;
/** The same for a poll: longer than Telegram holds one. */
const pollSeconds = 90;

export function openTelegramDoor(options: TelegramDoorOptions): BotDoor {
  const closing = new AbortController();
  const { signal } = closing;
  const { name, state, places } = options;
  const starting = prepareStart(options, { label: 'Telegram', isRefusedToken, reasonFor }, signal);
  const { logger } = starting;
  const apiRoot = options.apiRoot.replace(/\/+$/, '');
  const apiWith = (timeoutSeconds: number) =>
    new Api(options.token, {
      apiRoot,
      timeoutSeconds,
      baseFetchConfig: { agent: options.outgoing.agent(new URL(apiRoot)) },
    });
  const api = apiWith(options.callSeconds ?? callSeconds);
  const albums = new Albums((first, others) => options.core.receive(first, others));
  let polling: Promise<void> = Promise.resolve();

  const ready = starting.run(start);

  async function start(): Promise<void> {
    const account = await starting.reach(() => callTelegram(() => api.getMe(asGrammySignal(signal))));
    const allowList = starting.allowList(account.username, `@${account.username}`);
    await starting.reach(() => callTelegram(() => api.deleteWebhook({}, asGrammySignal(signal))));
    const bot = createTelegramBot(name, api, {
      known: await options.outbox.marks(name),
      saveMark: (counter, highest) => options.outbox.mark(name, counter, highest),
    });
    await options.core.attach({ bot, allowList, botName: account.username });
    polling = poll({
      api: apiWith(pollSeconds),
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
        fetchAttachment: (file, own) => fetchAttachment(options.sendHttp, toAttachment(file, own), own),
      });
    } catch (error) {
      logger.error({ event: 'error', err: error, update: update.update_id }, 'failed to read an update');
      return undefined;
    }
  }

  /** The address must be requested first, and contains the token. */
  function toAttachment({ fileId, name, bytes }: TelegramFile, own: AbortSignal): SentAttachment {
    return {
      name,
      from: 'Telegram',
      bytes,
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
