// A bounded queue from one writer to one reader. When it is full, the writer's source is held until the reader catches
// up. A reader that then takes nothing for too long is left behind, so it cannot hold the source forever.

export interface FeedOptions {
  readonly highWater: number;
  /** How long a full feed waits for a reader that reads nothing. Noticing may take twice as long. */
  readonly stallMs: number;
  /** The reader read nothing for too long. It still gets what is queued, then the returned error. */
  readonly onStalled: () => Error;
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
  #stall: NodeJS.Timeout | undefined;
  #hasTaken = false;
  #ended = false;
  #failure: Error | undefined;

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
    if (this.#size >= this.#options.highWater && !this.#release) this.#hold();
  }

  /** Delivers what is queued, then ends the reader's loop. */
  end(): void {
    this.#ended = true;
    this.#releaseSource();
    for (const deliver of this.#waiting.splice(0)) deliver({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<Item>> {
    if (this.#size > 0) return Promise.resolve({ done: false, value: this.#shift() });
    if (this.#failure) return Promise.reject(this.#takeFailure());
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  return(): Promise<IteratorResult<Item>> {
    this.#queue = [];
    this.#head = 0;
    this.#failure = undefined;
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
    this.#hasTaken = true;
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

  #hold(): void {
    this.#release = this.#options.onFull();
    this.#hasTaken = false;
    this.#stall = setInterval(() => this.#checkReader(), this.#options.stallMs).unref();
  }

  #checkReader(): void {
    if (this.#hasTaken) {
      this.#hasTaken = false;
      return;
    }
    this.#failure = this.#options.onStalled();
    this.end();
  }

  #takeFailure(): Error | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  #releaseSource(): void {
    clearInterval(this.#stall);
    this.#release?.();
    this.#release = undefined;
  }
}
