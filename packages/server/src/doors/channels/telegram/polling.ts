// Long polling: asks for updates, hands them on, and confirms them by asking for later ones. Only what was handled is
// confirmed: what is not comes again, also after a crash.
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { Logger } from '../../../domain/logger.ts';
import type { BotState } from '../core/bot-state.ts';
import { ChannelError, type SettingPlaces } from '../core/channel.ts';
import { asChannelCall, troubleOf } from './api-errors.ts';
import { InHand } from './in-hand.ts';
import { wantedUpdates } from './inbound.ts';
import { asGrammySignal } from './telegram-channel.ts';

export interface PollingSetup {
  readonly api: Api;
  /** Rejects when the update must come again. */
  readonly handle: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
  readonly state: BotState;
  readonly places: SettingPlaces;
  readonly logger: Logger;
  /** How long the service holds a request that has nothing to answer. */
  readonly waitSeconds?: number;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** How long later updates wait for earlier ones. */
const patienceMs = 1_000;

/** Runs until the signal aborts. Never rejects. */
export async function poll(setup: PollingSetup): Promise<void> {
  const { api, signal, state, places, logger, waitSeconds = 30 } = setup;
  const inHand = new InHand(setup.handle);
  let offset = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      // After a failure it asks for an answer at once, to know whether all is well again. With an update in hand the
      // service would not wait anyway, as it is not confirmed.
      const updates = await fetchUpdates(offset, failures === 0 && inHand.isEmpty ? waitSeconds : 0);
      offset = (await inHand.take(updates, patienceMs, signal)) ?? offset;
      failures = 0;
      state.running();
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      const waitMs = waitFor(error, failures);
      const { sentence, needsSomebody } = troubleOf(error, places);
      if (needsSomebody) state.failed(sentence);
      else state.connecting(sentence);
      logger.warn(
        { event: 'error', err: error, reason: sentence, waitMs },
        'messages could not be fetched from Telegram; trying again',
      );
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
  await inHand.idle();

  function fetchUpdates(from: number, timeout: number): Promise<readonly Update[]> {
    const options = { offset: from, timeout, allowed_updates: [...wantedUpdates] };
    return asChannelCall(() => api.getUpdates(options, asGrammySignal(signal)));
  }
}

function waitFor(error: unknown, failures: number): number {
  const told = error instanceof ChannelError ? error.retryAfterMs : undefined;
  return told ?? Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}
