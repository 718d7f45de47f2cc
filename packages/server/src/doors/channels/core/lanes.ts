// Work in lanes: what is in the same lane runs one after the other, lanes run side by side. A lane takes a bounded
// number of jobs; who brings more waits.

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #mostWaiting: number;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves once the lane has taken the job, which must not reject. False when the signal aborted first. */
  async add(key: string, job: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const lane = this.#lanes.get(key);
      if (!lane || lane.waiting < this.#mostWaiting) break;
      await Promise.race([lane.last, aborted(signal)]);
    }
    this.#start(key, job);
    return true;
  }

  /** Resolves when every job that was added so far is done. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map((lane) => lane.last));
  }

  #start(key: string, job: () => Promise<void>): void {
    const lane = this.#lanes.get(key) ?? { waiting: 0, last: Promise.resolve() };
    this.#lanes.set(key, lane);
    lane.waiting += 1;
    lane.last = lane.last.then(job).finally(() => {
      lane.waiting -= 1;
      if (lane.waiting === 0) this.#lanes.delete(key);
    });
  }
}

interface Lane {
  waiting: number;
  last: Promise<void>;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
