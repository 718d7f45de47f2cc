// How long to wait before the next attempt: longer each time, and random, so that clients don't come back all at once.
import type { PageState } from './environment.ts';
import type { Observable } from './observable.ts';

const firstMs = 400;
const longestMs = 8_000;

export class Backoff {
  #ms = firstMs;

  next(): number {
    const ms = this.#ms;
    this.#ms = Math.min(ms * 2, longestMs);
    return ms * (0.5 + Math.random() / 2);
  }

  reset(): void {
    this.#ms = firstMs;
  }
}

/** Resolves early when the network is back, the page is visible again, or the signal aborts. */
export function pause(ms: number, pageState: Observable<PageState>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unsubscribe();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const unsubscribe = pageState.subscribe(() => {
      const { online, visible } = pageState.snapshot();
      if (online && visible) done();
    });
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
