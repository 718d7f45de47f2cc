// Updates that were handed on and cannot be confirmed yet. Telegram confirms in order: one that takes long, such as a
// photo on its way, holds up the confirmation of later ones, but not their handling.
import { setTimeout as pause } from 'node:timers/promises';
import type { Update } from 'grammy/types';

export class InHand {
  readonly #handle: (update: Update) => Promise<void>;
  readonly #running = new Map<number, Promise<void>>();
  /** Done, while an earlier one is not. */
  readonly #done = new Set<number>();
  #failures: unknown[] = [];

  /** `handle` rejects when the update must come again. */
  constructor(handle: (update: Update) => Promise<void>) {
    this.#handle = handle;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  /** Begins what has not begun. The updates are those from the last offset on. Returns the next offset. */
  async take(
    updates: readonly Update[],
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    for (const update of updates) this.#begin(update);
    await this.#settle(patienceMs, signal);
    const open = updates.find(({ update_id: id }) => !this.#done.has(id))?.update_id;
    const last = updates.at(-1)?.update_id;
    const next = open ?? (last === undefined ? undefined : last + 1);
    for (const id of this.#done) if (next !== undefined && id < next) this.#done.delete(id);
    return next;
  }

  /** Resolves when nothing is being handled any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #begin(update: Update): void {
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

  /** Waits for what runs, though not for long. Rejects when one must come again. */
  async #settle(patienceMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isEmpty) {
      const enough = new AbortController();
      const patience = pause(patienceMs, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
      await Promise.race([this.idle(), patience.catch(() => undefined)]);
      enough.abort();
    }
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
  }
}
