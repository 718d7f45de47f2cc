// Which tokens make a session expensive.
import { expect, it } from 'vitest';
import { costParts, toUsage } from '../../src/domain/prices.ts';

it('divides a cost among the kinds of tokens by their prices [app.context.parts]', () => {
  const usage = toUsage('claude-sonnet-4-5', {
    input: 1_000_000,
    output: 100_000,
    cacheRead: 10_000_000,
    cacheWrite: 1_000_000,
  });
  const parts = costParts(usage, 'claude-sonnet-4-5');
  expect(parts.map(({ kind, costUsd }) => [kind, Number(costUsd.toFixed(2))])).toEqual([
    ['input', 3],
    ['output', 1.5],
    ['cache_read', 3],
    ['cache_write', 3.75],
  ]);
  const unknown = costParts({ ...usage, costUsd: 1 }, 'some-model');
  expect(unknown.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(1);
  expect(
    costParts({ ...usage, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 })[0],
  ).toEqual({
    kind: 'input',
    tokens: 0,
    costUsd: 0,
  });
});
