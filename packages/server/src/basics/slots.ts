// A limited number of slots. If none is free, callers wait, first come, first served.
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait for a slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** False when none is free. */
  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Resolves to true with a slot, and to false when the signal aborts first. */
  take(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.tryTake()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.delete(enter);
        resolve(false);
      };
      this.#waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Hands the slot to the caller that has waited longest. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
