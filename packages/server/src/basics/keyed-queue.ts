// Jobs with the same key run one after the other, in the order they were added. Different keys don't wait for each other.

interface Line {
  waiting: number;
  /** Settles when its last job has, and never rejects. */
  last: Promise<unknown>;
}

export class KeyedQueue<Key = string> {
  readonly #lines = new Map<Key, Line>();
  readonly #mostPerKey: number;

  /** The limit applies to `add` only, and counts the job that runs. */
  constructor(mostPerKey = Number.POSITIVE_INFINITY) {
    this.#mostPerKey = mostPerKey;
  }

  /** Settles as the job does. A job that fails doesn't stop the ones after it. */
  run<T>(key: Key, job: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { waiting: 0, last: Promise.resolve() };
    this.#lines.set(key, line);
    line.waiting += 1;
    const done = line.last.then(job);
    line.last = done
      .catch(() => undefined)
      .then(() => {
        line.waiting -= 1;
        if (line.waiting === 0) this.#lines.delete(key);
      });
    return done;
  }

  /**
   * Waits until the key has room for the job, which must not reject, and resolves to true without waiting for the job
   * itself. Resolves to false when the signal aborts first.
   */
  async add(key: Key, job: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const line = this.#lines.get(key);
      if (!line || line.waiting < this.#mostPerKey) break;
      await firstOf(line.last, signal);
    }
    void this.run(key, job);
    return true;
  }

  /** Resolves when no job is left. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map((line) => line.last));
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
