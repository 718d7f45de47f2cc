// Waiting, injected so that a simulation can run many servers on one clock.
export interface Timers {
  /** Milliseconds that only ever grow, whatever happens to the wall clock. */
  now(): number;
  /** Runs `work` once, later. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves to true when the time is over, and to false as soon as the signal aborts. */
export function wait(timers: Timers, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const finish = (isOver: boolean) => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(isOver);
    };
    const onAbort = () => finish(false);
    const cancel = timers.after(ms, () => finish(true));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
