// The connection to Discord's gateway. The library keeps it up and resumes it; here it is begun, watched and ended.
import { setTimeout as pause } from 'node:timers/promises';
import type { REST } from '@discordjs/rest';
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import {
  type APIInteraction,
  type APIMessage,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from 'discord-api-types/v10';
import type { Logger } from '../../../domain/logger.ts';
import type { BotState } from '../core/bot-state.ts';
import { ChannelError, type SettingPlaces } from '../core/channel.ts';
import { persistently } from '../core/retry.ts';
import { tokenRefused } from './api-errors.ts';

/** As the gateway brings it: with the server that it was written in, which direct messages do not have. */
export type GatewayMessage = APIMessage & { readonly guild_id?: string };

export interface ConnectionSetup {
  readonly token: string;
  readonly rest: REST;
  /** A session of the gateway began; what was said before it, it does not tell. */
  readonly onReady: (applicationId: string) => void;
  readonly onMessage: (message: GatewayMessage) => void;
  readonly onEdit: (message: GatewayMessage) => void;
  readonly onInteraction: (interaction: APIInteraction) => void;
  readonly signal: AbortSignal;
  readonly state: BotState;
  readonly places: SettingPlaces;
  readonly logger: Logger;
}

export interface Connection {
  close(): Promise<void>;
}

const intents =
  GatewayIntentBits.Guilds |
  GatewayIntentBits.GuildMessages |
  GatewayIntentBits.DirectMessages |
  GatewayIntentBits.MessageContent;
const farewellMs = 2_000;

/** Resolves when it is up. Rejects when Discord will not have this bot, with a sentence that says why. */
export async function openConnection(setup: ConnectionSetup): Promise<Connection> {
  const { signal, state, logger } = setup;
  const gateway = await persistently(
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
  return { close: () => end(gateway) };
}

/** One that failed to connect is of no more use, so each try has its own. */
async function connect(setup: ConnectionSetup): Promise<WebSocketManager> {
  const { token, rest, signal, places } = setup;
  const gateway = new WebSocketManager({ token, intents, rest });
  listen(gateway, setup);
  try {
    await Promise.race([gateway.connect(), aborted(signal)]);
    signal.throwIfAborted();
    return gateway;
  } catch (error) {
    await end(gateway);
    signal.throwIfAborted();
    const sentence = sentenceFor(error, places);
    throw sentence === undefined
      ? new ChannelError('network', 'Discord could not be reached.', { cause: error })
      : new ChannelError('gone', sentence, { cause: error });
  }
}

function listen(gateway: WebSocketManager, { state, logger, ...setup }: ConnectionSetup): void {
  let isDown = false;
  let isOver = false;
  // Reported once per outage, no matter how many attempts it takes.
  const onDown = (error?: Error) => {
    if (!isDown && !isOver && !setup.signal.aborted) {
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
  gateway.on(WebSocketShardEvents.Error, onDown);
  gateway.on(WebSocketShardEvents.SocketError, onDown);
  gateway.on(WebSocketShardEvents.Closed, (code) => {
    if (!finalCodes.has(code)) return onDown();
    isOver = true;
    if (setup.signal.aborted) return;
    const reason = reasonFor(code, setup.places);
    state.failed(reason);
    logger.error({ event: 'error', code }, reason);
  });
  gateway.on(WebSocketShardEvents.Resumed, onUp);
  gateway.on(WebSocketShardEvents.Ready, (data) => {
    onUp();
    setup.onReady(data.application.id);
  });
  gateway.on(WebSocketShardEvents.Dispatch, (payload) => bring(payload, setup));
}

function bring(
  { t, d }: GatewayDispatchPayload,
  setup: Pick<ConnectionSetup, 'onMessage' | 'onEdit' | 'onInteraction'>,
): void {
  switch (t) {
    case GatewayDispatchEvents.MessageCreate:
      return setup.onMessage(d);
    case GatewayDispatchEvents.MessageUpdate:
      return setup.onEdit(d);
    case GatewayDispatchEvents.InteractionCreate:
      return setup.onInteraction(d);
    default:
  }
}

/** After these the library does not connect again. */
const finalCodes: ReadonlySet<number> = new Set([
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
]);

const intentRefused =
  'Discord does not let the bot read messages: turn on “Message Content Intent” on the page of the bot in the developer portal, and start Parley again.';
const endedForGood = 'Discord ended the connection for good. Start Parley again.';

/** By the code of the close. */
function reasonFor(code: number, places: SettingPlaces): string {
  if (code === 4004) return tokenRefused(places);
  return code === 4014 ? intentRefused : endedForGood;
}

/** Undefined for what may pass. */
function sentenceFor(error: unknown, places: SettingPlaces): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/disallowed intents/i.test(error.message)) return intentRefused;
  return /authentication failed|invalid token/i.test(error.message) ? tokenRefused(places) : undefined;
}

/** The library waits for the service to say good-bye; the server does not wait as long. */
async function end(gateway: WebSocketManager): Promise<void> {
  gateway.removeAllListeners();
  // An error that nobody listens to would be thrown.
  gateway.on(WebSocketShardEvents.Error, () => undefined);
  const farewell = Promise.resolve(gateway.destroy()).catch(() => undefined);
  await Promise.race([farewell, pause(farewellMs, undefined, { ref: false })]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
