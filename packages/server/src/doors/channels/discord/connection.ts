// The connection to Discord's gateway. The library keeps it up and resumes it; here it is begun, watched and ended.
import { setTimeout as pause } from 'node:timers/promises';
import {
  type APIInteraction,
  type APIMessage,
  Client,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
} from 'discord.js';
import type { Logger } from '../../../domain/logger.ts';
import type { BotState } from '../core/bot-state.ts';
import { ChannelError } from '../core/channel.ts';
import { persistently } from '../core/retry.ts';
import { tokenRefused } from './api-errors.ts';

/** As the gateway brings it: with the server that it was written in, which direct messages do not have. */
export type GatewayMessage = APIMessage & { readonly guild_id?: string };

export interface ConnectionSetup {
  readonly token: string;
  readonly apiRoot: string;
  /** A session of the gateway began; what was said before it, it does not tell. */
  readonly onReady: (applicationId: string) => void;
  readonly onMessage: (message: GatewayMessage) => void;
  readonly onEdit: (message: GatewayMessage) => void;
  readonly onInteraction: (interaction: APIInteraction) => void;
  readonly signal: AbortSignal;
  readonly state: BotState;
  readonly logger: Logger;
}

export interface Connection {
  close(): Promise<void>;
}

const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];
const farewellMs = 2_000;

/** Resolves when it is up. Rejects when Discord will not have this bot, with a sentence that says why. */
export async function openConnection(setup: ConnectionSetup): Promise<Connection> {
  const { signal, state, logger } = setup;
  const client = await persistently(
    () => connect(setup),
    signal,
    ({ message }, waitMs) => {
      state.connecting(message);
      logger.warn(
        { event: 'error', reason: message, waitMs },
        'the gateway of Discord cannot be reached yet',
      );
    },
  );
  return { close: () => end(client) };
}

/** A client that failed to log in is of no more use, so each try has its own. */
async function connect(setup: ConnectionSetup): Promise<Client> {
  const { token, apiRoot, signal } = setup;
  const client = new Client({
    intents,
    rest: { api: apiRoot },
    // Everything is read from what the gateway says; nothing need be remembered of it.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      ThreadMemberManager: 0,
      UserManager: 100,
      GuildMemberManager: 100,
    }),
  });
  listen(client, setup);
  try {
    await Promise.race([client.login(token), aborted(signal)]);
    signal.throwIfAborted();
    return client;
  } catch (error) {
    await end(client);
    signal.throwIfAborted();
    const sentence = sentenceFor(error);
    throw sentence === undefined
      ? new ChannelError('network', 'Discord could not be reached.', { cause: error })
      : new ChannelError('gone', sentence, { cause: error });
  }
}

function listen(client: Client, { state, logger, ...setup }: ConnectionSetup): void {
  let isDown = false;
  // Once for each time that it breaks, however many tries it takes.
  const onDown = (error?: Error) => {
    if (!isDown && !setup.signal.aborted) {
      state.connecting('The connection to Discord broke.');
      logger.warn({ event: 'error', err: error }, 'the connection to Discord broke; connecting again');
    }
    isDown = true;
  };
  const onUp = () => {
    if (isDown) logger.info({}, 'the connection to Discord is up again');
    isDown = false;
    state.running();
  };
  client.on(Events.Error, onDown);
  client.on(Events.ShardError, onDown);
  client.on(Events.ShardReconnecting, () => onDown());
  client.on(Events.ShardDisconnect, ({ code }) => {
    if (setup.signal.aborted) return;
    const reason = closeReasons.get(code) ?? endedForGood;
    state.failed(reason);
    logger.error({ event: 'error', code }, reason);
  });
  client.ws.on(GatewayDispatchEvents.Resumed, onUp);
  client.ws.on(GatewayDispatchEvents.Ready, ({ application }: { application: { id: string } }) => {
    onUp();
    setup.onReady(application.id);
  });
  client.ws.on(GatewayDispatchEvents.MessageCreate, setup.onMessage);
  client.ws.on(GatewayDispatchEvents.MessageUpdate, setup.onEdit);
  client.ws.on(GatewayDispatchEvents.InteractionCreate, setup.onInteraction);
}

const intentRefused =
  'Discord does not let the bot read messages: turn on “Message Content Intent” on the page of the bot in the developer portal, and start Parley again.';
const endedForGood = 'Discord ended the connection for good. Start Parley again.';

const closeReasons: ReadonlyMap<number, string> = new Map([
  [4004, tokenRefused],
  [4014, intentRefused],
]);

/** Undefined for what may pass. */
function sentenceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/disallowed intents/i.test(error.message)) return intentRefused;
  return /authentication failed|invalid token/i.test(error.message) ? tokenRefused : undefined;
}

/** The library waits for the service to say good-bye; the server does not wait as long. */
async function end(client: Client): Promise<void> {
  client.ws.removeAllListeners();
  await Promise.race([client.destroy().catch(() => undefined), pause(farewellMs, undefined, { ref: false })]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
