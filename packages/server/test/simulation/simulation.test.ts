// Hundreds of runs of several servers through everything that can go wrong, or 100,000 with PARLEY_LONG=1. A run that
// fails prints its seed: `PARLEY_SEED=123 npx vitest run packages/server/test/simulation` repeats it and prints what
// happened.
import { describe, expect, it } from 'vitest';
import { simulate } from './run.ts';

const seedOfOne = process.env['PARLEY_SEED'];
const runs = process.env['PARLEY_LONG'] ? 100_000 : 500;

describe('several servers, simulated', () => {
  it.runIf(seedOfOne === undefined)(
    'keep their promises through crashes, pauses, cuts and lost answers [cluster.simulation]',
    async () => {
      let [acknowledged, takeovers] = [0, 0];
      for (let seed = 1; seed <= runs; seed += 1) {
        const outcome = await simulate(seed);
        expect(outcome.violations, `repeat it with PARLEY_SEED=${seed}`).toEqual([]);
        acknowledged += outcome.acknowledged;
        takeovers += outcome.takeovers;
      }
      // Otherwise they would prove little.
      expect(acknowledged).toBeGreaterThan(runs);
      expect(takeovers).toBeGreaterThan(runs / 10);
    },
    3_600_000,
  );

  it.runIf(seedOfOne === undefined)(
    'would be caught without the fence [cluster.simulation.notices]',
    async () => {
      const found = [];
      for (let seed = 1; seed <= 2_000 && found.length === 0; seed += 1)
        found.push(...(await simulate(seed, { isFencing: false })).violations);
      expect(found).not.toEqual([]);
    },
  );

  it.runIf(seedOfOne === undefined)('run the same way with the same seed', async () => {
    expect((await simulate(7)).story).toEqual((await simulate(7)).story);
  });

  it.runIf(seedOfOne !== undefined)('repeats one run', async () => {
    for (const seed of (seedOfOne ?? '').split(',')) {
      const { story, violations } = await simulate(Number(seed));
      process.stderr.write(`seed ${seed}\n${story.join('\n')}\n`);
      expect.soft(violations).toEqual([]);
    }
  });
});
