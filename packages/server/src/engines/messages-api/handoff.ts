// Hands items from several producers to one reader. A producer can wait until its item was dealt with, which is
// when the reader comes back for the next one.
import { ParleyError } from '@parley/protocol';

export class Handoff<T> implements AsyncIterable<T> {
  readonly #waiting: { readonly item: T; readonly taken: () => void }[] = [];
  readonly #limit: number;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when the item was dealt with, or will never be because nobody reads any more. */
  push(item: T): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#waiting.length >= this.#limit) {
      return Promise.reject(new ParleyError('busy', 'Too many events wait to be passed on.'));
    }
    return new Promise((resolve) => {
      this.#waiting.push({ item, taken: resolve });
      this.#wake();
    });
  }

  /** What was pushed before is still read; what is pushed later is dropped. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next !== undefined) {
          yield next.item;
          next.taken();
          continue;
        }
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.close();
      for (const { taken } of this.#waiting.splice(0)) taken();
    }
  }
}
