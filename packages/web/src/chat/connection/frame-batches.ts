// Gathers what arrives and hands it on at most once per frame, so that a fast stream costs one drawing per frame, and
// in portions, so that a flood costs many short ones instead of one long one.

/** A hidden page draws no frames; what it gathers is handed on all the same. */
const longestWaitMs = 250;

export class FrameBatches<T> {
  readonly #deliver: (items: readonly T[]) => void;
  readonly #portion: () => number;
  #items: T[] = [];
  #frame: number | undefined;
  #timer: number | undefined;

  /** `portion` says how many may be handed on at once. */
  constructor(deliver: (items: readonly T[]) => void, portion: () => number) {
    this.#deliver = deliver;
    this.#portion = portion;
  }

  add(item: T): void {
    this.#items.push(item);
    this.#schedule();
  }

  clear(): void {
    this.#items = [];
    this.#rest();
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#frame = requestAnimationFrame(this.#flush);
    this.#timer = window.setTimeout(this.#flush, longestWaitMs);
  }

  #rest(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    window.clearTimeout(this.#timer);
    this.#frame = undefined;
    this.#timer = undefined;
  }

  readonly #flush = (): void => {
    this.#rest();
    const portion = document.hidden ? this.#items.length : this.#portion();
    const items = this.#items.slice(0, portion);
    this.#items = this.#items.slice(portion);
    if (this.#items.length > 0) this.#schedule();
    if (items.length > 0) this.#deliver(items);
  };
}
