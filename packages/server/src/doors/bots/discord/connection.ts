// Opens, watches and closes the connection to Discord's gateway. The library keeps it alive and resumes it.
import type { REST } from '@discordjs/rest';
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { type Sentence, say } from '@parley/protocol';
import {
  type APIInteraction,
  type APIMessage,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from 'discord-api-types/v10';
import { pause } from '../../../basics/backoff.ts';
import type { Outgoing } from '../../../basics/outgoing.ts';
import type { Logger } from '../../../domain/logger.ts';
import { systemTimers } from '../../../domain/timers.ts';
import { ServiceError, type SettingPlaces } from '../core/bot.ts';
import type { BotState } from '../core/bot-state.ts';
import { retry } from '../core/retry.ts';
import { tokenRefused } from './api-errors.ts';
import { GatewayRelay } from './gateway-relay.ts';

/** A message from the gateway. Direct messages have no `guild_id`. */
export type GatewayMessage = APIMessage & { readonly guild_id?: string };

export interface ConnectionSetup {
  readonly token: string;
  readonly rest: REST;
  readonly outgoing: Outgoing;
  /** A gateway session started. It does not deliver earlier messages. */
  readonly onReady: (applicationId: string) => void;
  readonly onMessage: (message: GatewayMessage) => void;
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
const closeMs = 2_000;

/** Resolves once connected. Rejects when Discord refuses the bot, with a message that says why. */
export async function openConnection(setup: ConnectionSetup): Promise<Connection> {
  const { signal, state, logger } = setup;
  const relay = await GatewayRelay.open(setup.outgoing);
  const gateway = await retry(
    () => connect(setup, relay),
    signal,
    ({ message }, waitMs) => {
      state.connecting(message);
      logger.warn(
        { event: 'error', reason: message, waitMs },
        'failed to connect to Discord’s gateway; retrying',
      );
    },
  ).catch((error: unknown) => {
    relay.close();
    throw error;
  });
  return {
    async close() {
      await end(gateway);
      relay.close();
    },
  };
}

/** A manager that failed to connect cannot be used again, so each attempt gets a new one. */
async function connect(setup: ConnectionSetup, relay: GatewayRelay): Promise<WebSocketManager> {
  const { signal, places } = setup;
  const gateway = new RelayedManager(setup, relay);
  listen(gateway, setup);
  const settled = new AbortController();
  try {
    await Promise.race([gateway.connect(), aborted(signal, settled.signal)]);
    signal.throwIfAborted();
    return gateway;
  } catch (error) {
    await end(gateway);
    signal.throwIfAborted();
    const reason = refusalReason(error, places);
    throw reason === undefined
      ? new ServiceError('network', say`Discord could not be reached.`, { cause: error })
      : new ServiceError('gone', reason, { cause: error });
  } finally {
    settled.abort();
  }
}

/** Connects through the relay if there is a proxy, both at first and when it resumes at another address. */
class RelayedManager extends WebSocketManager {
  readonly #relay: GatewayRelay;

  constructor({ token, rest }: ConnectionSetup, relay: GatewayRelay) {
    const sessions = new Map<number, SessionInfo | null>();
    super({
      token,
      intents,
      rest,
      retrieveSessionInfo: (shard) => sessions.get(shard) ?? null,
      // Must not be async: while the library awaited it, a message could overtake Ready, and the messages missed before
      // it would never be fetched.
      updateSessionInfo(shard, info) {
        sessions.set(shard, info && { ...info, resumeURL: relay.addressFor(info.resumeURL) });
      },
    });
    this.#relay = relay;
  }

  override async fetchGatewayInformation(force?: boolean) {
    const information = await super.fetchGatewayInformation(force);
    return { ...information, url: this.#relay.addressFor(information.url) };
  }
}

function listen(gateway: WebSocketManager, { state, logger, ...setup }: ConnectionSetup): void {
  let isDown = false;
  let isOver = false;
  // Reported once per outage, no matter how many attempts it takes.
  const onDown = (error?: Error) => {
    if (!isDown && !isOver && !setup.signal.aborted) {
      state.connecting(say`The connection to Discord was lost.`);
      logger.warn({ event: 'error', err: error }, 'lost the connection to Discord; reconnecting');
    }
    isDown = true;
  };
  const onUp = () => {
    if (isDown) logger.info({}, 'reconnected to Discord');
    isDown = false;
    state.running();
  };
  gateway.on(WebSocketShardEvents.Error, onDown);
  gateway.on(WebSocketShardEvents.SocketError, onDown);
  gateway.on(WebSocketShardEvents.Closed, (code) => {
    if (!finalCodes.has(code)) return onDown();
    isOver = true;
    if (setup.signal.aborted) return;
    const reason = closeReason(code, setup.places);
    state.failed(reason);
    logger.error({ event: 'error', code }, reason);
  });
  gateway.on(WebSocketShardEvents.Resumed, onUp);
  gateway.on(WebSocketShardEvents.Ready, (data) => {
    onUp();
    setup.onReady(data.application.id);
  });
  gateway.on(WebSocketShardEvents.Dispatch, (payload) => dispatch(payload, setup));
}

function dispatch(
  { t, d }: GatewayDispatchPayload,
  setup: Pick<ConnectionSetup, 'onMessage' | 'onInteraction'>,
): void {
  switch (t) {
    case GatewayDispatchEvents.MessageCreate:
      return setup.onMessage(d);
    case GatewayDispatchEvents.InteractionCreate:
      return setup.onInteraction(d);
    default:
  }
}

/** After these the library does not reconnect. */
const finalCodes: ReadonlySet<number> = new Set([
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
]);

const intentRefused = say`Discord does not let the bot read messages: turn on “Message Content Intent” on the bot’s page in the developer portal, and restart Parley.`;
const closedForGood = say`Discord closed the connection for good. Restart Parley.`;

function closeReason(code: number, places: SettingPlaces): Sentence {
  if (code === 4004) return tokenRefused(places);
  return code === 4014 ? intentRefused : closedForGood;
}

/** Undefined when a retry may help. */
function refusalReason(error: unknown, places: SettingPlaces): Sentence | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/disallowed intents/i.test(error.message)) return intentRefused;
  return /authentication failed|invalid token/i.test(error.message) ? tokenRefused(places) : undefined;
}

/** The library waits for Discord to close the connection. We don't wait that long. */
async function end(gateway: WebSocketManager): Promise<void> {
  gateway.removeAllListeners();
  // An `error` event without a listener would be thrown.
  gateway.on(WebSocketShardEvents.Error, () => undefined);
  const closed = Promise.resolve(gateway.destroy()).catch(() => undefined);
  await Promise.race([closed, pause(closeMs, undefined, systemTimers)]);
}

/** Stops listening when `settled` aborts. */
function aborted(signal: AbortSignal, settled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: settled });
  });
}
