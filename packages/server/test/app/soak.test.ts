// A few visits of `npm run soak`, and how it decides. The long run is a command: it takes at least ten minutes to see growth.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundleFile } from '../../../../scripts/bundle.mjs';
import { growthFigure } from '../../soak/parts/growth.ts';

const limitMs = 300_000;

describe('a server under load and faults', () => {
  it.runIf(process.platform === 'linux')(
    'answers at every door and leaves no process behind [team.ship.soak]',
    async () => {
      const soak = await bundleFile('packages/server/soak/soak.ts');
      const flags = ['--rounds=1', '--visits=40', '--seed=4'];
      const { stdout } = await promisify(execFile)(process.execPath, [soak, ...flags], { timeout: limitMs });
      expect(stdout).toMatch(/visits that went wrong +0\.00 of 40 .* met/);
      expect(stdout).not.toContain('MISSED');
    },
  );
});

describe('growth', () => {
  const verdict = (values: readonly number[]) => {
    const { value, goal } = growthFigure('memory', 'MB', values, { share: 0.1, more: 5 });
    return goal && 'atMost' in goal ? value <= goal.atMost : undefined;
  };

  it('is how much higher the last readings are than the first, leaving out the start', () => {
    expect(verdict([50, 90, 100, 101, 99, 100, 102, 100, 101, 100])).toBe(true);
    expect(verdict([50, 90, 100, 104, 108, 112, 116, 120, 124, 128])).toBe(false);
  });

  it('is not a single high reading', () => {
    expect(verdict([50, 100, 100, 100, 100, 100, 100, 300, 100, 100])).toBe(true);
  });
});
