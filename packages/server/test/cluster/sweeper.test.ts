// The sweeper looks for sessions that a stopped server left behind: on time, one look at a time, whatever happens.
import { describe, expect, it } from 'vitest';
import { startSweeper } from '../../src/cluster/sweeper.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { ManualTimers } from '../support/several-servers.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the sweeper', () => {
  it('looks twice a second, but never before the last look is finished [cluster.sweeper]', async () => {
    const timers = new ManualTimers();
    const looks: (() => void)[] = [];
    const look = () => new Promise<void>((finish) => looks.push(finish));
    const stop = startSweeper(look, timers, silentLogger);
    expect(looks).toHaveLength(0);
    timers.advance(500);
    timers.advance(5_000);
    await settled();
    expect(looks).toHaveLength(1);
    looks[0]?.();
    await settled();
    timers.advance(500);
    expect(looks).toHaveLength(2);
    stop();
    looks[1]?.();
    await settled();
    timers.advance(5_000);
    expect(looks).toHaveLength(2);
  });

  it('tries again after the database has failed [cluster.sweeper]', async () => {
    const timers = new ManualTimers();
    const warnings: unknown[] = [];
    let looks = 0;
    const look = async () => {
      looks += 1;
      if (looks < 3) throw new Error('no database');
    };
    const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
    const stop = startSweeper(look, timers, logger);
    for (let count = 0; count < 4; count += 1) {
      timers.advance(500);
      await settled();
    }
    stop();
    expect([looks, warnings.length]).toEqual([4, 2]);
  });

  it('can be stopped before its first look [cluster.sweeper]', async () => {
    const timers = new ManualTimers();
    let looks = 0;
    startSweeper(async () => void (looks += 1), timers, silentLogger)();
    timers.advance(5_000);
    await settled();
    expect(looks).toBe(0);
  });
});
