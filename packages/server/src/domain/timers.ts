// Waiting, injected so that a simulation can run many servers on one clock.
export interface Timers {
  /** Milliseconds that only ever grow, whatever happens to the wall clock. */
  now(): number;
  /** Runs `work` once, later. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

/** Waiting on them doesn't keep the process running. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};
