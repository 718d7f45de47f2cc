// Lets tests wait until something on a socket has changed.
export class Changes {
  #waiting: (() => void)[] = [];

  /** Resolves at the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  happened(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
