// Calls that do not give up: they wait as long as the service says, and try again when the network fails. Only a no of
// the service ends them, or the signal.
import { setTimeout as pause } from 'node:timers/promises';
import { ChannelError } from './channel.ts';

export interface RetryPauses {
  readonly firstMs: number;
  readonly mostMs: number;
}

export const usualPauses: RetryPauses = { firstMs: 1_000, mostMs: 60_000 };

/** Resolves with the result, or rejects with the problem that trying again does not mend. */
export async function persistently<T>(
  attempt: (tried: number) => Promise<T>,
  signal: AbortSignal,
  onRetry: (error: ChannelError, waitMs: number) => void = () => undefined,
  pauses: RetryPauses = usualPauses,
): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(tried);
    } catch (error) {
      if (signal.aborted || !(error instanceof ChannelError) || !isTemporary(error)) throw error;
      const waitMs = error.retryAfterMs ?? Math.min(pauses.firstMs * 2 ** tried, pauses.mostMs);
      onRetry(error, waitMs);
      await pause(waitMs, undefined, { signal });
    }
  }
}

function isTemporary({ problem }: ChannelError): boolean {
  switch (problem) {
    case 'flood':
    case 'network':
      return true;
    case 'markup':
    case 'unchanged':
    case 'gone':
    case 'refused':
      return false;
    default:
      return problem satisfies never;
  }
}
