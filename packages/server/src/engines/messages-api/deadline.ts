// A time-out that can stand still: the time in which a person decides is not the tool's.
export class Deadline {
  readonly #onLate: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #isOver = false;

  constructor(milliseconds: number, onLate: () => void) {
    this.#leftMs = milliseconds;
    this.#onLate = onLate;
    this.#start();
  }

  /** Stands still until the work is done; several may overlap. */
  async during<T>(work: Promise<T>): Promise<T> {
    if (this.#holds === 0) this.#stop();
    this.#holds += 1;
    try {
      return await work;
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#start();
    }
  }

  clear(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }

  #start(): void {
    if (this.#isOver) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onLate, Math.max(0, this.#leftMs));
  }
}
