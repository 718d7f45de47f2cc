// What the doors of all chat services share: their options, and how they start. They start in the background, so an
// unreachable service doesn't delay anything else.
import { type Sentence, say } from '@parley/protocol';
import type { Outgoing } from '../../../basics/outgoing.ts';
import type { SendHttp } from '../../../domain/http.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Outbox } from '../../../domain/outbox.ts';
import { type AllowList, createAllowList } from './allow-list.ts';
import { type ChannelName, ServiceError, type SettingPlaces } from './bot.ts';
import type { BotState } from './bot-state.ts';
import type { ChatCore } from './chat-core.ts';
import { retry } from './retry.ts';

export interface BotDoorOptions {
  readonly name: ChannelName;
  readonly core: ChatCore;
  readonly outbox: Pick<Outbox, 'mark' | 'marks'>;
  readonly token: string;
  readonly apiRoot: string;
  readonly allowFrom: readonly string[];
  readonly places: SettingPlaces;
  /** Downloads the pictures that people send. */
  readonly sendHttp: SendHttp;
  /** How requests to the service leave this machine. */
  readonly outgoing: Outgoing;
  readonly state: BotState;
  readonly logger: Logger;
}

export interface BotDoor {
  /** Resolves when the bot answers messages, or when the service refuses it. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

interface Service {
  readonly label: 'Telegram' | 'Discord';
  readonly isRefusedToken: (error: unknown) => boolean;
  /** What is wrong and what to do about it, for the person who runs the bot. */
  readonly reasonFor: (error: unknown, places: SettingPlaces) => Sentence;
}

/** The steps of starting a bot that all services share. */
export function prepareStart(options: BotDoorOptions, service: Service, signal: AbortSignal) {
  const { name, state, places, allowFrom } = options;
  const { label, isRefusedToken, reasonFor } = service;
  const logger = options.logger.child({ channel: name });
  return {
    logger,

    /** Never rejects: the bot's state shows a failure. */
    async run(start: () => Promise<void>): Promise<void> {
      try {
        await start();
      } catch (error) {
        if (signal.aborted) return;
        const reason = reasonFor(error, places);
        state.failed(reason);
        const fields = error instanceof ServiceError ? { reason } : { err: error };
        const advice = `check ${places.token} and see docs/${label.toLowerCase()}.md`;
        logger.error({ event: 'error', ...fields }, `failed to start the ${label} bot; ${advice}`);
      }
    },

    /** Retries a call until the service answers. A retry cannot fix a refused token. */
    reach<T>(call: () => Promise<T>): Promise<T> {
      const attempt = () =>
        call().catch((error: unknown) => {
          throw isRefusedToken(error) ? new ServiceError('gone', say`${(error as Error).message}`) : error;
        });
      return retry(attempt, signal, (error, waitMs) => {
        state.connecting(reasonFor(error, places));
        const fields = { event: 'error', reason: error.message, waitMs };
        logger.warn(fields, `failed to reach ${label}; retrying`);
      });
    },

    /** Call this once the service has named the bot. Returns who may use it. */
    allowList(botName: string, shownName = botName): AllowList {
      state.setBotName(botName);
      const allowList = createAllowList(allowFrom, `the ${label} bot ${shownName}`, places);
      if (allowList.warning !== undefined) logger.warn({ bot: botName }, allowList.warning);
      return allowList;
    },
  };
}
