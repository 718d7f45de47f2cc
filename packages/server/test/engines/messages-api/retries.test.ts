import { describe, expect, it } from 'vitest';
import {
  ApiProblem,
  type ProblemDetails,
  type ProblemKind,
  toFailure,
} from '../../../src/engines/messages-api/api-problem.ts';
import { pauseBeforeRetry } from '../../../src/engines/messages-api/model-call.ts';

const limits = { maxAttempts: 4, firstPauseMs: 500, longestPauseMs: 1_500, longestRetryAfterMs: 60_000 };
const pause = (kind: ProblemKind, details: ProblemDetails = {}, attempt = 1, shown = false) =>
  pauseBeforeRetry({ problem: new ApiProblem(kind, 'x', details), attempt, shown }, limits, () => 1);

describe('pauseBeforeRetry', () => {
  it('grows from attempt to attempt up to the longest pause, then gives up', () => {
    expect([1, 2, 3, 4].map((attempt) => pause('overloaded', {}, attempt))).toEqual([
      500,
      1_000,
      1_500,
      undefined,
    ]);
  });

  it('leaves half of the pause to chance', () => {
    const problem = new ApiProblem('overloaded', 'x');

    expect(pauseBeforeRetry({ problem, attempt: 1, shown: false }, limits, () => 0)).toBe(250);
  });

  it('is as long as the service asks, unless that is too long [notes.chat.retry-before-first-token]', () => {
    expect(pause('rate-limited', { retryAfterMs: 7_000 })).toBe(7_000);
    expect(pause('rate-limited', { retryAfterMs: 0 })).toBe(500);
    expect(pause('rate-limited', { retryAfterMs: 61_000 })).toBeUndefined();
  });

  it('never comes once something was shown [notes.chat.no-retry-after-first-token]', () => {
    expect(pause('overloaded', { retryAfterMs: 1 }, 1, true)).toBeUndefined();
  });

  it.each<ProblemKind>(['bad-credentials', 'no-credit', 'unknown-model', 'too-long', 'refused', 'stalled'])(
    'never comes after %s',
    (kind) => {
      expect(pause(kind)).toBeUndefined();
    },
  );

  it('follows what the service says about retrying', () => {
    expect(pause('rate-limited', { shouldRetry: false })).toBeUndefined();
    expect(pause('refused', { shouldRetry: true })).toBe(500);
  });
});

describe('toFailure', () => {
  it.each<[number | undefined, string]>([
    [undefined, 'in a moment'],
    [0, 'in 1 second.'],
    [45_000, 'in 45 seconds'],
    [600_000, 'in 10 minutes'],
  ])('says when to try again after %s ms', (retryAfterMs, words) => {
    expect(toFailure(new ApiProblem('overloaded', 'x', { retryAfterMs })).message).toContain(words);
  });
});
