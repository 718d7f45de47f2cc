// Notifies listeners of changes, and waits for a condition.

export class ChangeSignal {
  readonly #listeners = new Set<() => void>();

  emit(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns a function that stops listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves once the condition holds, which is checked after each change. Rejects when the signal aborts. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        stop();
        reject(signal?.reason instanceof Error ? signal.reason : new Error('the condition never held'));
      };
      const check = () => {
        if (!condition()) return;
        stop();
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const stop = this.listen(check);
      signal?.addEventListener('abort', onAbort, { once: true });
      check();
      if (signal?.aborted) onAbort();
    });
  }
}
