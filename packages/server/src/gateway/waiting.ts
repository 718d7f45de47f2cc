// Calls that wait until something has changed.
export class Waiting {
  readonly #calls = new Set<() => void>();

  /** Resolves with the next `wake`, or after `maxMs`. Rejects with the signal's reason. */
  async wait(signal: AbortSignal, maxMs?: number): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
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
      const timer = maxMs === undefined ? undefined : setTimeout(wake, maxMs);
      this.#calls.add(wake);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  wake(): void {
    for (const wake of this.#calls) wake();
  }
}
