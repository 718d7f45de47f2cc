// Notices that another server has stopped while calls wait for it. A server that hangs neither refuses connections nor
// answers, so its callers would wait much longer than its lease lasts.
import type { OtherServer } from '../domain/ownership.ts';
import type { ServerRegistry } from '../domain/server-registry.ts';
import type { Timers } from '../domain/timers.ts';

const lookEveryMs = 500;

/** Looks only while somebody waits. */
export class ServerWatch {
  readonly #registry: Pick<ServerRegistry, 'list'>;
  readonly #timers: Timers;
  readonly #waiting = new Map<string, Set<() => void>>();
  #isLooking = false;

  constructor(registry: Pick<ServerRegistry, 'list'>, timers: Timers) {
    this.#registry = registry;
    this.#timers = timers;
  }

  /** Calls `onGone` when the lease of the server is over. Returns a function that stops watching. */
  watch({ id }: OtherServer, onGone: () => void): () => void {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(onGone));
    this.#lookLater();
    return () => {
      waiting.delete(onGone);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    };
  }

  #lookLater(): void {
    if (this.#isLooking || this.#waiting.size === 0) return;
    this.#isLooking = true;
    this.#timers.after(lookEveryMs, () => {
      void this.#look().finally(() => {
        this.#isLooking = false;
        this.#lookLater();
      });
    });
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0) return;
    // Without the database, nobody knows.
    const running = await this.#registry.list().catch(() => undefined);
    if (!running) return;
    for (const [id, waiting] of this.#waiting) {
      if (running.some((server) => server.id === id)) continue;
      this.#waiting.delete(id);
      for (const onGone of waiting) onGone();
    }
  }
}
