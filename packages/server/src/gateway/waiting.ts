// Calls that wait until something has changed.
import type { Timers } from '../domain/timers.ts';

export class Waiting {
  readonly #timers: Timers;
  readonly #calls = new Set<() => void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Resolves with the next `wake`, or after `maxMs`. Rejects with the signal's reason. */
  async wait(signal: AbortSignal, maxMs?: number): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancel?.();
        this.#calls.delete(wake);
        signal.removeEventListener('abort', abort);
      };
      const wake = () => {
        leave();
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      const cancel = maxMs === undefined ? undefined : this.#timers.after(maxMs, wake);
      this.#calls.add(wake);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  wake(): void {
    for (const wake of this.#calls) wake();
  }
}
