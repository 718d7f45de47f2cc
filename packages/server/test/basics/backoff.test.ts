import { describe, expect, it } from 'vitest';
import { backoffMs, pause, withJitter } from '../../src/basics/backoff.ts';

describe('a backoff', () => {
  it('doubles the pause with each failure, up to the longest', () => {
    const pauses = [1, 2, 3, 4, 5, 2_000].map((failures) =>
      backoffMs(failures, { firstMs: 500, longestMs: 3_000 }),
    );
    expect(pauses).toEqual([500, 1_000, 2_000, 3_000, 3_000, 3_000]);
  });

  it('leaves half of a pause to chance', () => {
    expect([0, 0.5, 1].map((chance) => withJitter(800, () => chance))).toEqual([400, 600, 800]);
  });
});

describe('a pause', () => {
  it('says whether it lasted to its end', async () => {
    const controller = new AbortController();
    expect(await pause(1, controller.signal)).toBe(true);
    const interrupted = pause(3_600_000, controller.signal);
    controller.abort();
    expect(await interrupted).toBe(false);
    expect(await pause(3_600_000, controller.signal)).toBe(false);
  });
});
