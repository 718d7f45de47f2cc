// Lets long synchronous work share the event loop: work until `isUp`, then await `next()`.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the work may block the event loop. */
const SLICE_MS = 8;

export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  #start = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isUp(): boolean {
    return performance.now() - this.#start > SLICE_MS;
  }

  /** Rejects if the signal was aborted meanwhile. */
  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
  }
}
