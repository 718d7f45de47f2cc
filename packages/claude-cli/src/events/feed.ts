// A bounded queue from one writer to one reader: when it is full, the writer's source is held until the reader catches
// up.

export interface FeedOptions {
  readonly highWater: number;
  /** Called when the feed is full; the returned function is called when it has room again. */
  readonly onFull: () => () => void;
  /** The reader stopped. */
  readonly onLeft?: () => void;
}

export class Feed<Item> implements AsyncIterableIterator<Item> {
  readonly #options: FeedOptions;
  #queue: Item[] = [];
  #head = 0;
  /** Pending calls of `next`, in order. */
  readonly #waiting: ((result: IteratorResult<Item>) => void)[] = [];
  #release: (() => void) | undefined;
  #ended = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  push(item: Item): void {
    if (this.#ended) return;
    const deliver = this.#waiting.shift();
    if (deliver) {
      deliver({ done: false, value: item });
      return;
    }
    this.#queue.push(item);
    if (this.#size >= this.#options.highWater) this.#release ??= this.#options.onFull();
  }

  /** Delivers what is queued, then ends the reader's loop. */
  end(): void {
    this.#ended = true;
    this.#releaseSource();
    for (const deliver of this.#waiting.splice(0)) deliver({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<Item>> {
    if (this.#size > 0) return Promise.resolve({ done: false, value: this.#shift() });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  return(): Promise<IteratorResult<Item>> {
    this.#queue = [];
    this.#head = 0;
    this.end();
    this.#options.onLeft?.();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get #size(): number {
    return this.#queue.length - this.#head;
  }

  #shift(): Item {
    const item = this.#queue[this.#head] as Item;
    this.#head += 1;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    } else if (this.#head >= 1024) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    if (this.#size <= this.#options.highWater / 2) this.#releaseSource();
    return item;
  }

  #releaseSource(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
