// Limits how many turns of one engine run at once, over all sessions. Others wait, first come, first served.
export class TurnPlaces {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** False when all places are taken. */
  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Resolves with true when there is a place, and with false when the signal aborts first. */
  take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.tryTake()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const give = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.delete(give);
        resolve(false);
      };
      this.#waiting.add(give);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** It goes to the one that waits longest. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
