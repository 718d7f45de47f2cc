// The short form of `npm run fuzz`: a fixed number of inputs from a fixed seed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundleFile } from '../scripts/bundle.mjs';
import { programsIn } from '../scripts/programs.mjs';

const run = promisify(execFile);
const runFuzz = async (target: string, runs: number) =>
  run(process.execPath, [await bundleFile(target), `--runs=${runs}`, '--seed=1'], { timeout: 150_000 });

describe('made-up inputs', () => {
  it.each(programsIn('fuzz'))('do no harm: %s [team.ship.any-input]', async (target) => {
    const { stdout } = await runFuzz(target, 100);
    expect(stdout).toMatch(/: [1-9]\d\d inputs, /);
  });

  it('find a bug step by step, and are shrunk as far as possible', async () => {
    const failed = runFuzz('test/support/planted-target.ts', 50_000);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('fails for "parl", which is in '),
    });
  });
});
