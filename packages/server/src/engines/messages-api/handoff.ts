// Hands items from several producers to one reader. A producer can wait until its item was handled, which is when the
// reader asks for the next one.
import { ParleyError } from '@parley/protocol';

export class Handoff<T> implements AsyncIterable<T> {
  readonly #waiting: { readonly item: T; readonly taken: () => void }[] = [];
  readonly #limit: number;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when the item was handled, or never will be because the reader left. */
  push(item: T): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#waiting.length >= this.#limit) {
      return Promise.reject(new ParleyError('busy', 'Too many events are waiting.'));
    }
    return new Promise((resolve) => {
      this.#waiting.push({ item, taken: resolve });
      this.#wake();
    });
  }

  /** Earlier items are still read; later ones are dropped. */
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
