// When a failed model call is tried again. Pure, so that every rule is a line in a test.
import { backoffMs, withJitter } from '../../basics/backoff.ts';
import { type ApiProblem, isTransient } from './api-problem.ts';
import type { MessagesApiLimits } from './limits.ts';

export interface FailedAttempt {
  readonly problem: ApiProblem;
  /** Counts from 1. */
  readonly attempt: number;
  /** Whether anything of the reply was shown. What a person has seen is never said a second time. */
  readonly shown: boolean;
}

/** The pause before the next attempt in milliseconds, or undefined when there shall be none. */
export function pauseBeforeRetry(
  { problem, attempt, shown }: FailedAttempt,
  limits: Pick<MessagesApiLimits, 'maxAttempts' | 'firstPauseMs' | 'longestPauseMs' | 'longestRetryAfterMs'>,
  random: () => number,
): number | undefined {
  if (shown || attempt >= limits.maxAttempts || !isTransient(problem)) return undefined;
  const backoff = { firstMs: limits.firstPauseMs, longestMs: limits.longestPauseMs };
  const pause = withJitter(backoffMs(attempt, backoff), random);
  const asked = problem.details.retryAfterMs;
  if (asked === undefined) return pause;
  return asked > limits.longestRetryAfterMs ? undefined : Math.max(asked, pause);
}
