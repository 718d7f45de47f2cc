// Jobs with the same key run one after the other, in the order they were added. Different keys don't wait for each other.

export class KeyedQueue<Key = string> {
  /** The jobs that run or wait. They never reject. */
  readonly #lines = new Map<Key, Promise<void>[]>();
  readonly #maxPerKey: number;

  /** The limit applies to `add` only, and counts the job that runs. */
  constructor(maxPerKey = Number.POSITIVE_INFINITY) {
    this.#maxPerKey = maxPerKey;
  }

  /** Settles as the job does. A job that fails doesn't stop the ones after it. */
  run<T>(key: Key, job: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    const done = (line.at(-1) ?? Promise.resolve()).then(job);
    const leave = () => {
      void line.shift();
      if (line.length === 0) this.#lines.delete(key);
    };
    line.push(done.then(leave, leave));
    return done;
  }

  /**
   * Waits until the key has room for the job, which must not reject, and resolves to true without waiting for the job
   * itself. Resolves to false when the signal aborts first.
   */
  async add(key: Key, job: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const [first, ...others] = this.#lines.get(key) ?? [];
      if (!first || others.length + 1 < this.#maxPerKey) break;
      await firstOf(first, signal);
    }
    void this.run(key, job);
    return true;
  }

  /** Resolves when no job is left. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].flat());
  }
}

async function firstOf(done: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { signal: settled.signal });
  });
  await Promise.race([done, aborted]);
  settled.abort();
}
