// Growing pauses between attempts.

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause after the n-th failure in a row: doubles each time, up to the longest. */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs);
}

/** Shortens a pause by up to half, so that callers that failed together don't all come back at once. */
export function withJitter(milliseconds: number, random: () => number): number {
  return milliseconds * (0.5 + random() / 2);
}

/** Runs `work` once, later. Returns a function that cancels it. */
type After = (milliseconds: number, work: () => void) => () => void;

/**
 * Resolves to true when the time is up, and to false as soon as the signal aborts. Without `timers`, it keeps the
 * process running.
 */
export function pause(
  milliseconds: number,
  signal: AbortSignal | undefined,
  timers: { readonly after: After } = { after },
): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const finish = (isOver: boolean) => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(isOver);
    };
    const onAbort = () => finish(false);
    const cancel = timers.after(milliseconds, () => finish(true));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function after(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
