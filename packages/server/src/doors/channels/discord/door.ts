// The Discord door: connects a bot to the chat core. It comes up on its own time, so that a service that cannot be
// reached keeps nothing else from starting.
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { REST } from '@discordjs/rest';
import {
  type APIInteraction,
  type APIMessage,
  type APIUser,
  ApplicationCommandOptionType,
  InteractionResponseType,
  MessageFlags,
  Routes,
} from 'discord-api-types/v10';
import type { Clock } from '../../../domain/clock.ts';
import type { SendHttp } from '../../../domain/http.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Outbox } from '../../../domain/outbox.ts';
import type { BotState } from '../core/bot-state.ts';
import { ChannelError, type ChannelName, type Inbound, type SettingPlaces } from '../core/channel.ts';
import { type ChatCore, notOnTheList } from '../core/chat-core.ts';
import { commands } from '../core/commands.ts';
import { fetchPicture } from '../core/fetch-picture.ts';
import { createGate, type Gate } from '../core/gate.ts';
import { persistently } from '../core/retry.ts';
import { asChannelCall, isRefusedToken, sentenceOf } from './api-errors.ts';
import { type Connection, type GatewayMessage, openConnection } from './connection.ts';
import { createDiscordChannel, type DiscordChannel, fetchAfter } from './discord-channel.ts';
import { toArrival, toEdited, toInbound } from './inbound.ts';
import { toSentPicture } from './pictures.ts';
import { Rooms } from './rooms.ts';

export interface DiscordDoorOptions {
  readonly name: ChannelName;
  readonly core: ChatCore;
  readonly outbox: Pick<Outbox, 'mark' | 'marks'>;
  readonly token: string;
  /** Without the version. */
  readonly apiRoot: string;
  readonly allowFrom: readonly string[];
  readonly places: SettingPlaces;
  /** Fetches the pictures that people send. */
  readonly sendHttp: SendHttp;
  readonly clock: Clock;
  readonly state: BotState;
  readonly logger: Logger;
}

export interface DiscordDoor {
  /** Resolves when the bot answers messages, or cannot because Discord will not have it. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Leaves time for the way to Discord. */
const longestReceiveMs = 1_500;

/** What the parts share once it is known who the bot is. */
interface RunningBot {
  readonly id: string;
  readonly gate: Gate;
  readonly channel: DiscordChannel;
  readonly rooms: Rooms;
}

export function openDiscordDoor(options: DiscordDoorOptions): DiscordDoor {
  const closing = new AbortController();
  const { signal } = closing;
  const { name, state, places } = options;
  // Every channel may be waiting for something at the same time.
  setMaxListeners(0, signal);
  const logger = options.logger.child({ channel: name });
  const apiRoot = options.apiRoot.replace(/\/+$/, '');
  // Waiting and trying again is done in core, which can be told to stop and asks first whether a message arrived.
  const rest = new REST({ api: apiRoot, version: '10', retries: 0, rejectOnRateLimit: () => true });
  rest.setToken(options.token);
  let connection: Connection | undefined;
  let rooms: Rooms | undefined;

  const ready = start().catch((error: unknown) => {
    if (signal.aborted) return;
    const reason = error instanceof ChannelError ? sentenceOf(error, places) : undefined;
    state.failed(reason ?? 'Something went wrong inside Parley. The server log has the details.');
    logger.error(
      { event: 'error', ...(reason === undefined ? { err: error } : { reason }) },
      `the Discord bot could not start; look at ${places.token} and at docs/discord.md`,
    );
  });

  async function start(): Promise<void> {
    const user = await untilItAnswers(() =>
      asChannelCall<APIUser>((own) => rest.get(Routes.user(), { signal: own }), signal),
    );
    state.named(user.username);
    const gate = createGate(options.allowFrom, {
      label: `The Discord bot ${user.username}`,
      places,
    });
    if (gate.remark !== undefined) logger.warn({ bot: user.username }, gate.remark);
    const known = await options.outbox.marks(name);
    const keep = (counter: string, highest: number) => options.outbox.mark(name, counter, highest);
    const channel = createDiscordChannel(name, rest, user.id, { known, keep });
    rooms = new Rooms({
      name,
      known,
      keep,
      fetchAfter: (channelId, after) => fetchAfter(rest, channelId, after, signal),
      handle: (message, isPrivate) => handle(message, isPrivate, bot),
      clock: options.clock,
      signal,
      logger,
    });
    const bot: RunningBot = { id: user.id, gate, channel, rooms };
    await options.core.attach({ channel, gate, botName: user.username });
    connection = await openConnection({
      token: options.token,
      rest,
      signal,
      state,
      places,
      logger,
      onReady: (applicationId) => {
        bot.rooms.catchUp();
        void registerCommands(applicationId);
      },
      onMessage: (message) => onMessage(message, bot),
      onEdit: (message) => void onEdit(message),
      onInteraction: (interaction) => void onInteraction(interaction, gate),
    });
    logger.info({ bot: user.username }, 'the Discord bot answers');
  }

  /** A channel counts as a chat once somebody spoke there who may; strangers alone leave no trace. */
  function onMessage(message: GatewayMessage, { gate, rooms: known, channel }: RunningBot): void {
    const { author, channel_id: channelId, id } = message;
    channel.sawMessage(channelId, id);
    const isPrivate = message.guild_id === undefined;
    const isForUs = known.isKnown(channelId) || gate.lets({ id: author.id, isBot: author.bot === true });
    if (isForUs) return known.add(message, isPrivate);
    // Core writes down who was refused.
    const inbound = read(message, isPrivate, '');
    if (inbound) void options.core.receive(inbound).catch(() => undefined);
  }

  async function handle(message: APIMessage, isPrivate: boolean, bot: RunningBot): Promise<void> {
    bot.channel.sawMessage(message.channel_id, message.id);
    const inbound = read(message, isPrivate, bot.id);
    if (inbound) await options.core.receive(inbound);
  }

  /** A message that cannot be read would never be: it is logged and passed over. */
  function read(message: APIMessage, isPrivate: boolean, botId: string): Inbound | undefined {
    try {
      return toInbound(message, {
        bot: name,
        botId,
        isPrivate,
        fetchPicture: (picture, own) => fetchPicture(options.sendHttp, toSentPicture(picture), own),
      });
    } catch (error) {
      logger.error({ event: 'error', err: error, message: message.id }, 'a message could not be read');
      return undefined;
    }
  }

  /** Never rejects. */
  async function onEdit(message: GatewayMessage): Promise<void> {
    try {
      const inbound = toEdited(message, { bot: name, isPrivate: message.guild_id === undefined });
      if (inbound) await options.core.receive(inbound);
    } catch (error) {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'a change could not be taken in');
    }
  }

  /** Never rejects. Discord waits three seconds for an answer; then it says itself that there was none. */
  async function onInteraction(interaction: APIInteraction, gate: Gate): Promise<void> {
    try {
      const body = await answerTo(interaction, gate);
      if (!body) return;
      const path = Routes.interactionCallback(interaction.id, interaction.token);
      await asChannelCall((own) => rest.post(path, { body, auth: false, signal: own }), signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'an interaction was not answered');
    }
  }

  async function answerTo(interaction: APIInteraction, gate: Gate) {
    const arrival = toArrival(interaction, name);
    switch (arrival?.kind) {
      case 'press': {
        const { text, isShown } = await options.core.press(arrival.press);
        return isShown ? { type: InteractionResponseType.DeferredMessageUpdate } : whisper(text);
      }
      case 'command': {
        const received = options.core.receive(arrival.inbound);
        // What comes before it in the chat may take longer than Discord waits, such as a picture on its way.
        await Promise.race([received, pause(longestReceiveMs, undefined, { ref: false })]);
        received.catch(onLateFailure);
        return whisper(gate.lets(arrival.inbound.sender) ? 'The answer follows.' : notOnTheList);
      }
      case undefined:
        return undefined;
      default:
        return arrival satisfies never;
    }
  }

  function onLateFailure(error: unknown): void {
    if (!signal.aborted) logger.warn({ event: 'error', err: error }, 'a command could not be taken in');
  }

  async function registerCommands(applicationId: string): Promise<void> {
    const path = Routes.applicationCommands(applicationId);
    await persistently(
      () => asChannelCall((own) => rest.put(path, { body: slashCommands, signal: own }), signal),
      signal,
    ).catch((error: unknown) => {
      if (!signal.aborted)
        logger.warn({ event: 'error', err: error }, 'the commands could not be registered');
    });
  }

  /** A token that is refused ends it; everything else is waited for. */
  function untilItAnswers<T>(call: () => Promise<T>): Promise<T> {
    return persistently(
      async () => {
        try {
          return await call();
        } catch (error) {
          throw error instanceof ChannelError && isRefusedToken(error)
            ? new ChannelError('gone', error.message)
            : error;
        }
      },
      signal,
      (error, waitMs) => {
        state.connecting(error.message);
        logger.warn({ event: 'error', reason: error.message, waitMs }, 'Discord cannot be reached yet');
      },
    );
  }

  return {
    ready,
    async close() {
      closing.abort();
      await ready;
      await connection?.close();
      await rooms?.idle();
    },
  };
}

/** An answer that only whoever pressed a button or used a command gets to read. */
function whisper(text: string) {
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
