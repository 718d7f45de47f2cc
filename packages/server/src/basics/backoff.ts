// Growing pauses between attempts.
import { setTimeout as sleep } from 'node:timers/promises';

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

/** Resolves to true when the time is over, and to false as soon as the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, { signal });
    return true;
  } catch (thrown) {
    if (signal.aborted) return false;
    throw thrown;
  }
}
