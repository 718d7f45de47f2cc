// A pool whose program fails or never starts.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProviderOptions, SessionPool } from '../../src/index.ts';
import { eventually } from '../support/reading.ts';
import { openScriptedProgram, type ScriptedProgram } from '../support/scripted-program.ts';

let scripted: ScriptedProgram;

async function open(script: string, options: Partial<ProviderOptions> = {}): Promise<SessionPool> {
  scripted = await openScriptedProgram(`fs.appendFileSync('starts', 'x');\n${script}`, options);
  await appendFile(join(scripted.workingDir, 'starts'), '');
  return scripted.provider.createPool({ workingDir: scripted.workingDir }, { size: 1 });
}

async function starts(): Promise<number> {
  return (await readFile(join(scripted.workingDir, 'starts'), 'utf8')).length;
}

describe('a pool', () => {
  it('pauses after as many failures as the breaker of its provider allows', async () => {
    const pool = await open('process.exit(1);', { breaker: { failures: 2, cooldownMs: 60_000 } });
    for (let round = 0; round < 4; round += 1) await pool.filled();
    expect(await starts()).toBe(2);
    expect(pool.ready).toBe(0);
    // Taking a session reports what is wrong.
    await expect(pool.take()).rejects.toMatchObject({ code: 'start_failed', exitCode: 1 });
  });

  it('closes at once and leaves nothing, even while its processes are starting', async () => {
    const pool = await open('forever();');
    await eventually(async () => (await starts()) === 1);
    await pool.close();
    expect(scripted.provider.aliveSessions).toEqual([]);
  });

  it('ends a process whose caller aborts', async () => {
    const pool = await open('forever();');
    await eventually(async () => (await starts()) === 1);
    const giveUp = new AbortController();
    const taken = pool.take({ signal: giveUp.signal });
    await eventually(async () => (await starts()) === 2);
    giveUp.abort();
    await expect(taken).rejects.toMatchObject({ code: 'aborted' });
    expect(scripted.provider.aliveSessions).toHaveLength(1);
    await pool[Symbol.asyncDispose]();
    expect(scripted.provider.aliveSessions).toEqual([]);
  });
});
