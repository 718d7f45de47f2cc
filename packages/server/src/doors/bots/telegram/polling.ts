// Long polling: asks for updates, hands them on, and confirms them by asking for later ones. Only processed updates are
// confirmed; Telegram delivers the others again, even after a crash.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { pause } from '../../../basics/backoff.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { SettingPlaces } from '../core/bot.ts';
import type { BotState } from '../core/bot-state.ts';
import { retryPauseMs } from '../core/retry.ts';
import { callTelegram, failureOf } from './api-errors.ts';
import { wantedUpdates } from './inbound.ts';
import { asGrammySignal } from './telegram-bot.ts';

export interface PollingSetup {
  readonly api: Api;
  /** Rejects when the update must be delivered again. */
  readonly handle: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
  readonly state: BotState;
  readonly places: SettingPlaces;
  readonly logger: Logger;
  /** How long Telegram holds a request when there are no updates. */
  readonly waitSeconds?: number;
}

/** How long a poll waits for earlier updates to be processed. */
const patienceMs = 1_000;
/** Telegram holds a poll until there is something new. An API that returns at once gets at most one poll in this time. */
const leastMs = 1_000;

/** Runs until the signal aborts. Never rejects. */
export async function poll(setup: PollingSetup): Promise<void> {
  const { api, signal, state, places, logger, waitSeconds = 30 } = setup;
  const pending = new PendingUpdates(setup.handle);
  let offset = 0;
  let failures = 0;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      // After a failure, ask without waiting, to find out at once whether it works again. With an unconfirmed update
      // Telegram would not wait anyway.
      const startedAt = performance.now();
      const updates = await fetchUpdates(offset, failures === 0 && pending.isEmpty ? waitSeconds : 0);
      const next = (await pending.add(updates, signal)) ?? offset;
      failures = 0;
      state.running();
      // Only the chat of such an update waits. The next poll brings it again.
      const failure = pending.takeFailure();
      if (failure !== undefined && !isFailing && !signal.aborted)
        logger.warn({ event: 'error', err: failure }, 'failed to process an update; retrying');
      isFailing = failure !== undefined;
      if (next === offset) await pause(Math.max(0, startedAt + leastMs - performance.now()), signal);
      offset = next;
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      const waitMs = retryPauseMs(error, failures);
      const { reason, needsAction } = failureOf(error, places);
      if (needsAction) state.failed(reason);
      else state.connecting(reason);
      logger.warn({ event: 'error', err: error, reason, waitMs }, 'failed to receive messages; retrying');
      await pause(waitMs, signal);
    }
  }
  await pending.idle();

  function fetchUpdates(from: number, timeout: number): Promise<readonly Update[]> {
    const options = { offset: from, timeout, allowed_updates: [...wantedUpdates] };
    return callTelegram(() => api.getUpdates(options, asGrammySignal(signal)));
  }
}

/**
 * Updates that are being processed or cannot be confirmed yet. Telegram confirms in order: an update that takes long,
 * such as a photo that is being downloaded, delays the confirmation of later ones, but not their processing.
 */
class PendingUpdates {
  readonly #handle: (update: Update) => Promise<void>;
  readonly #running = new Map<number, Promise<void>>();
  /** Processed, but an earlier one is not yet. */
  readonly #done = new Set<number>();
  readonly #failures: unknown[] = [];

  constructor(handle: (update: Update) => Promise<void>) {
    this.#handle = handle;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  /** Starts the updates that are new. Resolves to the next offset. */
  async add(updates: readonly Update[], signal: AbortSignal): Promise<number | undefined> {
    for (const update of updates) this.#start(update);
    await this.#settle(signal);
    const open = updates.find(({ update_id: id }) => !this.#done.has(id))?.update_id;
    const last = updates.at(-1)?.update_id;
    const next = open ?? (last === undefined ? undefined : last + 1);
    for (const id of this.#done) if (next !== undefined && id < next) this.#done.delete(id);
    return next;
  }

  /** Why an update must be delivered again, if one failed since the last call. */
  takeFailure(): unknown {
    return this.#failures.splice(0)[0];
  }

  /** Resolves when no update is being processed. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #start(update: Update): void {
    const { update_id: id } = update;
    if (this.#running.has(id) || this.#done.has(id)) return;
    const running = this.#handle(update)
      .then(
        () => void this.#done.add(id),
        (error: unknown) => void this.#failures.push(error),
      )
      .finally(() => this.#running.delete(id));
    this.#running.set(id, running);
  }

  /** Waits a limited time for running updates. */
  async #settle(signal: AbortSignal): Promise<void> {
    if (this.isEmpty) return;
    const enough = new AbortController();
    const patience = sleep(patienceMs, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
    await Promise.race([this.idle(), patience.catch(() => undefined)]);
    enough.abort();
  }
}
