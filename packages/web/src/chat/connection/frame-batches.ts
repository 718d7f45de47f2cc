// Gathers what arrives and hands it on at most once per frame, so that a fast stream costs one drawing per frame.

/** A hidden page draws no frames; what it gathers is handed on all the same. */
const longestWaitMs = 250;

export class FrameBatches<T> {
  readonly #deliver: (items: readonly T[]) => void;
  #items: T[] = [];
  #frame: number | undefined;
  #timer: number | undefined;

  constructor(deliver: (items: readonly T[]) => void) {
    this.#deliver = deliver;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#timer !== undefined) return;
    this.#frame = requestAnimationFrame(this.#flush);
    this.#timer = window.setTimeout(this.#flush, longestWaitMs);
  }

  clear(): void {
    this.#items = [];
    this.#rest();
  }

  #rest(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    window.clearTimeout(this.#timer);
    this.#frame = undefined;
    this.#timer = undefined;
  }

  readonly #flush = (): void => {
    const items = this.#items;
    this.clear();
    if (items.length > 0) this.#deliver(items);
  };
}
