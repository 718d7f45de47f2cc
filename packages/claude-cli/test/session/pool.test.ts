// A pool whose program fails, or does not come up at all.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderOptions, SessionPool } from '../../src/index.ts';
import { type FakeProgram, openFakeProgram } from '../support/fake-program.ts';
import { eventually } from '../support/reading.ts';

let fake: FakeProgram | undefined;
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

async function open(script: string, options: Partial<ProviderOptions> = {}): Promise<SessionPool> {
  fake = await openFakeProgram(`fs.appendFileSync('starts', 'x');\n${script}`, options);
  await appendFile(join(fake.workingDir, 'starts'), '');
  return fake.provider.createPool({ workingDir: fake.workingDir }, { size: 1 });
}

async function starts(): Promise<number> {
  return (await readFile(join((fake as FakeProgram).workingDir, 'starts'), 'utf8')).length;
}

describe('a pool', () => {
  it('rests after as many failures as its provider bears', async () => {
    const pool = await open('process.exit(1);', { breaker: { failures: 2, cooldownMs: 60_000 } });
    for (let round = 0; round < 4; round += 1) await pool.filled();
    expect(await starts()).toBe(2);
    expect(pool.ready).toBe(0);
    // Whoever takes is told what is wrong.
    await expect(pool.take()).rejects.toMatchObject({ code: 'start_failed', exitCode: 1 });
  });

  it('closes at once, with nothing left, while its processes do not come up', async () => {
    const pool = await open('forever();');
    await eventually(async () => (await starts()) === 1);
    await pool.close();
    expect(fake?.provider.aliveSessions).toEqual([]);
  });

  it('lets go of a process whose taker gives up', async () => {
    const pool = await open('forever();');
    await eventually(async () => (await starts()) === 1);
    const giveUp = new AbortController();
    const taken = pool.take({ signal: giveUp.signal });
    await eventually(async () => (await starts()) === 2);
    giveUp.abort();
    await expect(taken).rejects.toMatchObject({ code: 'aborted' });
    expect(fake?.provider.aliveSessions).toHaveLength(1);
    await pool[Symbol.asyncDispose]();
    expect(fake?.provider.aliveSessions).toEqual([]);
  });
});
