// Pulls from a source that may be told to stop: once the signal aborts, the source has a grace time to end by
// itself; after that it is left alone.
export type Stopped = 'stopped';

export class Stoppable<T> {
  readonly #iterator: AsyncIterator<T>;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;
  #isDone = false;
  #giveUp: () => void = () => undefined;

  constructor(source: AsyncIterable<T>, signal: AbortSignal, graceMs: number) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#onAbort = () => {
      this.#timer = setTimeout(() => {
        this.#isLate = true;
        this.#giveUp();
      }, graceMs);
    };
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The next item, `undefined` at the end, `stopped` when the grace time has passed. */
  async next(): Promise<T | undefined | Stopped> {
    if (this.#isLate) return 'stopped';
    const next = await new Promise<IteratorResult<T> | Stopped>((resolve, reject) => {
      this.#giveUp = () => resolve('stopped');
      this.#iterator.next().then(resolve, reject);
    });
    if (next === 'stopped') return next;
    if (!next.done) return next.value;
    this.#isDone = true;
    return undefined;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    // A source that hangs would make `return` hang too: it is told, and not waited for.
    if (!this.#isDone) void this.#iterator.return?.()?.then(undefined, () => undefined);
  }
}
