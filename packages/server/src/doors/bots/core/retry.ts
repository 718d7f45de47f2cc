// Retries a call to a chat service: after the pause that the service asks for, or with growing pauses when the network
// fails. Only a refusal by the service or the signal ends the retries.
import { type Backoff, backoffMs, pause } from '../../../basics/backoff.ts';
import { ServiceError } from './bot.ts';

const defaultBackoff: Backoff = { firstMs: 1_000, longestMs: 60_000 };

/** Rejects with an error that a retry cannot fix, or when the signal aborts. */
export async function retry<T>(
  attempt: (failures: number) => Promise<T>,
  signal: AbortSignal,
  onRetry: (error: ServiceError, waitMs: number) => void = () => undefined,
  backoff: Backoff = defaultBackoff,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await attempt(failures);
    } catch (error) {
      if (signal.aborted || !(error instanceof ServiceError) || !isTemporary(error)) throw error;
      failures += 1;
      const waitMs = retryPauseMs(error, failures, backoff);
      onRetry(error, waitMs);
      if (!(await pause(waitMs, signal))) signal.throwIfAborted();
    }
  }
}

/** The pause that the service asked for, or one that grows with the number of failures in a row. */
export function retryPauseMs(error: unknown, failures: number, backoff: Backoff = defaultBackoff): number {
  const requested = error instanceof ServiceError ? error.retryAfterMs : undefined;
  return requested ?? backoffMs(failures, backoff);
}

function isTemporary({ problem }: ServiceError): boolean {
  return problem === 'flood' || problem === 'network';
}
