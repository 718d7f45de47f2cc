// The Discord door: connects a bot to the chat core.
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { REST } from '@discordjs/rest';
import {
  type APIAttachment,
  type APIInteraction,
  type APIMessage,
  type APIUser,
  ApplicationCommandOptionType,
  InteractionResponseType,
  MessageFlags,
  Routes,
} from 'discord-api-types/v10';
import type { Clock } from '../../../domain/clock.ts';
import type { AllowList } from '../core/allow-list.ts';
import type { Inbound } from '../core/bot.ts';
import { type BotDoor, type BotDoorOptions, prepareStart } from '../core/bot-door.ts';
import { notOnAllowList } from '../core/chat-core.ts';
import { commands } from '../core/commands.ts';
import { fetchPicture, type SentPicture } from '../core/fetch-picture.ts';
import { retry } from '../core/retry.ts';
import { callDiscord, isRefusedToken, reasonFor } from './api-errors.ts';
import { ChannelReaders } from './channel-readers.ts';
import { type Connection, type GatewayMessage, openConnection } from './connection.ts';
import { createDiscordBot, type DiscordBot, fetchAfter } from './discord-bot.ts';
import { toArrival, toEdited, toInbound } from './inbound.ts';

export interface DiscordDoorOptions extends BotDoorOptions {
  readonly clock: Clock;
}

/** Discord waits three seconds; this leaves time for the network. */
const longestReceiveMs = 1_500;

/** What the parts share once the bot's account is known. */
interface RunningBot {
  readonly id: string;
  readonly allowList: AllowList;
  readonly bot: DiscordBot;
  readonly readers: ChannelReaders;
}

export function openDiscordDoor(options: DiscordDoorOptions): BotDoor {
  const closing = new AbortController();
  const { signal } = closing;
  const { name, state, places } = options;
  // Every channel may wait for something at the same time.
  setMaxListeners(0, signal);
  const starting = prepareStart(options, { label: 'Discord', isRefusedToken, reasonFor }, signal);
  const { logger } = starting;
  const apiRoot = options.apiRoot.replace(/\/+$/, '');
  // Core does the retrying: it can be stopped, and first checks whether a message arrived.
  const rest = new REST({ api: apiRoot, version: '10', retries: 0, rejectOnRateLimit: () => true });
  rest.setToken(options.token);
  let connection: Connection | undefined;
  let readers: ChannelReaders | undefined;

  const ready = starting.run(start);

  async function start(): Promise<void> {
    const user = await starting.reach(() =>
      callDiscord<APIUser>((own) => rest.get(Routes.user(), { signal: own }), signal),
    );
    const allowList = starting.allowList(user.username);
    const known = await options.outbox.marks(name);
    const saveMark = (counter: string, highest: number) => options.outbox.mark(name, counter, highest);
    const bot = createDiscordBot(name, rest, user.id, { known, saveMark });
    readers = new ChannelReaders({
      name,
      known,
      saveMark,
      fetchAfter: (channelId, after) => fetchAfter(rest, channelId, after, signal),
      handle: (message, isPrivate) => handle(message, isPrivate, running),
      clock: options.clock,
      signal,
      logger,
    });
    const running: RunningBot = { id: user.id, allowList, bot, readers };
    await options.core.attach({ bot, allowList, botName: user.username });
    connection = await openConnection({
      token: options.token,
      rest,
      signal,
      state,
      places,
      logger,
      onReady: (applicationId) => {
        running.readers.catchUp();
        void registerCommands(applicationId);
      },
      onMessage: (message) => onMessage(message, running),
      onEdit: (message) => void onEdit(message),
      onInteraction: (interaction) => void onInteraction(interaction, allowList),
    });
    logger.info({ bot: user.username }, 'the Discord bot is running');
  }

  /** A channel becomes a chat once an allowed person writes there; strangers alone leave no trace. */
  function onMessage(message: GatewayMessage, running: RunningBot): void {
    const { author, channel_id: channelId, id } = message;
    running.bot.sawMessage(channelId, id);
    const isPrivate = message.guild_id === undefined;
    const isAllowed = running.allowList.allows({ id: author.id, isBot: author.bot === true });
    if (isAllowed || running.readers.isKnown(channelId)) return running.readers.add(message, isPrivate);
    // Core logs the refusal.
    const inbound = read(message, isPrivate, '');
    if (inbound) void options.core.receive(inbound).catch(() => undefined);
  }

  async function handle(message: APIMessage, isPrivate: boolean, { bot, id }: RunningBot): Promise<void> {
    bot.sawMessage(message.channel_id, message.id);
    const inbound = read(message, isPrivate, id);
    if (inbound) await options.core.receive(inbound);
  }

  /** A message that cannot be read now never will be, so it is logged and skipped. */
  function read(message: APIMessage, isPrivate: boolean, botId: string): Inbound | undefined {
    try {
      return toInbound(message, {
        bot: name,
        botId,
        isPrivate,
        fetchPicture: (picture, own) => fetchPicture(options.sendHttp, toSentPicture(picture), own),
      });
    } catch (error) {
      logger.error({ event: 'error', err: error, message: message.id }, 'failed to read a message');
      return undefined;
    }
  }

  /** Never rejects. */
  async function onEdit(message: GatewayMessage): Promise<void> {
    try {
      const inbound = toEdited(message, { bot: name, isPrivate: message.guild_id === undefined });
      if (inbound) await options.core.receive(inbound);
    } catch (error) {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to process an edit');
    }
  }

  /** Never rejects. Without an answer within three seconds, Discord tells the person that there was none. */
  async function onInteraction(interaction: APIInteraction, allowList: AllowList): Promise<void> {
    try {
      const body = await answerTo(interaction, allowList);
      if (!body) return;
      const path = Routes.interactionCallback(interaction.id, interaction.token);
      await callDiscord((own) => rest.post(path, { body, auth: false, signal: own }), signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to answer an interaction');
    }
  }

  async function answerTo(interaction: APIInteraction, allowList: AllowList) {
    const arrival = toArrival(interaction, name);
    switch (arrival?.kind) {
      case 'press': {
        const { text, isShown } = await options.core.press(arrival.press);
        return isShown ? { type: InteractionResponseType.DeferredMessageUpdate } : privateReply(text);
      }
      case 'command': {
        const received = options.core.receive(arrival.inbound);
        // An earlier message of the chat, such as one with a large picture, may take longer than Discord waits.
        await Promise.race([received, sleep(longestReceiveMs, undefined, { ref: false })]);
        received.catch(onLateFailure);
        return privateReply(allowList.allows(arrival.inbound.sender) ? 'One moment …' : notOnAllowList);
      }
      case undefined:
        return undefined;
      default:
        return arrival satisfies never;
    }
  }

  function onLateFailure(error: unknown): void {
    if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to process a command');
  }

  async function registerCommands(applicationId: string): Promise<void> {
    const path = Routes.applicationCommands(applicationId);
    await retry(
      () => callDiscord((own) => rest.put(path, { body: slashCommands, signal: own }), signal),
      signal,
    ).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to register the commands');
    });
  }

  return {
    ready,
    async close() {
      closing.abort();
      await ready;
      await connection?.close();
      await readers?.idle();
    },
  };
}

function toSentPicture({ url, size, content_type: type = '' }: APIAttachment): SentPicture {
  return {
    from: 'Discord',
    bytes: size,
    mediaType: type.split(';', 1)[0]?.trim() ?? '',
    locate: () => Promise.resolve(url),
  };
}

/** An answer that only the person who pressed the button or used the command can read. */
function privateReply(text: string) {
  return {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { content: text.slice(0, 200), flags: MessageFlags.Ephemeral },
  };
}

const slashCommands = commands.map(({ name, description }) => ({
  name,
  description,
  ...(name === 'model' && {
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'name',
        description: 'The model to use, such as opus',
      },
    ],
  }),
}));
