// The Discord door: connects a bot to the chat core.
import { setMaxListeners } from 'node:events';
import { REST, type RESTOptions } from '@discordjs/rest';
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
import type { Outgoing } from '../../../basics/outgoing.ts';
import { outgoingFetch } from '../../../basics/outgoing-dispatcher.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { AllowList } from '../core/allow-list.ts';
import type { Inbound, Press } from '../core/bot.ts';
import { type BotDoor, type BotDoorOptions, prepareStart } from '../core/bot-door.ts';
import { notOnAllowList } from '../core/chat-core.ts';
import { commands, isReadOnlyCommand } from '../core/commands.ts';
import { fetchAttachment, type SentAttachment } from '../core/fetch-attachment.ts';
import { retry } from '../core/retry.ts';
import { callDiscord, isRefusedToken, reasonFor } from './api-errors.ts';
import { ChannelReaders } from './channel-readers.ts';
import { type Connection, type GatewayMessage, openConnection } from './connection.ts';
import { createDiscordBot, type DiscordBot, fetchAfter } from './discord-bot.ts';
import { toArrival, toInbound } from './inbound.ts';
import { editBody } from './message-body.ts';

export interface DiscordDoorOptions extends BotDoorOptions {
  readonly clock: Clock;
}

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
  const rest = new REST({
    api: apiRoot,
    version: '10',
    retries: 0,
    rejectOnRateLimit: () => true,
    ...throughProxy(options.outgoing, apiRoot),
  });
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
      outgoing: options.outgoing,
      signal,
      state,
      places,
      logger,
      onReady: (applicationId) => {
        running.readers.catchUp();
        void registerCommands(applicationId);
      },
      onMessage: (message) => onMessage(message, running),
      onInteraction: (interaction) => void onInteraction(interaction, allowList),
    });
    logger.info({ bot: user.username }, 'the Discord bot is running');
  }

  /** A channel becomes a chat once an allowed person writes there. Until then, nothing about it is stored. */
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
        fetchAttachment: (attachment, own) =>
          fetchAttachment(options.sendHttp, toAttachment(attachment), own),
      });
    } catch (error) {
      logger.error({ event: 'error', err: error, message: message.id }, 'failed to read a message');
      return undefined;
    }
  }

  /** Never rejects. Discord waits only three seconds for an answer, so it gets one before anything is done. */
  async function onInteraction(interaction: APIInteraction, allowList: AllowList): Promise<void> {
    try {
      const arrival = toArrival(interaction, name);
      switch (arrival?.kind) {
        case 'press':
          return await onPress(arrival.press, interaction);
        case 'command':
          return await onCommand(arrival.inbound, interaction, allowList);
        case undefined:
          return;
        default:
          return arrival satisfies never;
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to answer an interaction');
    }
  }

  async function onPress(press: Press, interaction: APIInteraction): Promise<void> {
    // The press counts even if it cannot be acknowledged.
    await acknowledge(interaction, { type: InteractionResponseType.DeferredMessageUpdate }).catch(onLate);
    const { text, isShown } = await options.core.press(press);
    if (isShown) return;
    const path = Routes.webhook(interaction.application_id, interaction.token);
    await callWithoutToken('post', path, { content: text.slice(0, 200), flags: MessageFlags.Ephemeral });
  }

  async function onCommand(
    inbound: Inbound,
    interaction: APIInteraction,
    allowList: AllowList,
  ): Promise<void> {
    if (!allowList.allows(inbound.sender)) {
      await acknowledge(interaction, privateReply(notOnAllowList));
      // Core logs the refusal.
      return options.core.receive(inbound);
    }
    if (!isReadOnlyCommand(inbound)) {
      await acknowledge(interaction, privateReply('One moment …')).catch(onLate);
      return options.core.receive(inbound);
    }
    const type = InteractionResponseType.DeferredChannelMessageWithSource;
    await acknowledge(interaction, { type, data: { flags: MessageFlags.Ephemeral } });
    const body = await editBody(await options.core.answerPrivately(inbound));
    const path = Routes.webhookMessage(interaction.application_id, interaction.token);
    await callWithoutToken('patch', path, body);
  }

  function acknowledge(interaction: APIInteraction, body: object): Promise<void> {
    return callWithoutToken('post', Routes.interactionCallback(interaction.id, interaction.token), body);
  }

  /** Needs no bot token: the interaction's own token is in the path. */
  async function callWithoutToken(method: 'post' | 'patch', path: `/${string}`, body: object): Promise<void> {
    await callDiscord((own) => rest[method](path, { body, auth: false, signal: own }), signal);
  }

  function onLate(error: unknown): void {
    if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'failed to acknowledge an interaction');
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

function toAttachment({ url, size, filename, content_type: type }: APIAttachment): SentAttachment {
  return {
    name: type?.startsWith('image/') ? undefined : filename,
    from: 'Discord',
    bytes: size,
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

/** Without a proxy, the library's own client is used. */
function throughProxy(outgoing: Outgoing, apiRoot: string): Partial<Pick<RESTOptions, 'makeRequest'>> {
  if (outgoing.proxyFor(new URL(apiRoot)) === undefined) return {};
  const send = outgoingFetch(outgoing);
  // The library's types come from another version of the same client.
  return { makeRequest: (url, init) => send(url, init as object) };
}
