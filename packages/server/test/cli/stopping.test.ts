// Stopping: what runs may end, but not for ever.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundled, freshPlace } from './parley-process.ts';

const stubborn = await bundled(new URL('./children/stubborn.ts', import.meta.url));

describe('a server that is asked to stop', () => {
  it('waits for what is still running, and then ends with 0', async () => {
    const program = await started(60_000);
    program.child.kill('SIGTERM');
    await program.says(/stopping/);
    program.child.stdin?.write('done\n');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(program.stdout).toContain('"stopped"');
  });

  it('takes the same Ctrl-C that arrives twice for one', async () => {
    const program = await started(60_000);
    program.child.kill('SIGINT');
    program.child.kill('SIGINT');
    await program.says(/stopping/);
    program.child.kill('SIGINT');
    program.child.stdin?.write('done\n');
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  it('ends at once when it is asked again', async () => {
    const program = await started(60_000);
    program.child.kill('SIGINT');
    await program.says(/stopping/);
    await pause(700);
    expect(await program.stop('SIGINT')).toMatchObject({ code: 1 });
    expect(program.stdout).not.toContain('"stopped"');
  });

  it('ends by itself when it takes too long', async () => {
    const program = await started(200);
    expect(await program.stop()).toMatchObject({ code: 1 });
    expect(program.stdout).toContain('stopped before everything was done');
  });

  it('ends with 1 when something could not be closed', async () => {
    const program = await started(60_000);
    program.child.kill('SIGTERM');
    await program.says(/stopping/);
    program.child.stdin?.write('fail\n');
    expect(await program.ended).toMatchObject({ code: 1 });
    expect(program.stdout).toContain('could not close');
  });

  it('ends with a line in the log when an error is caught by nobody', async () => {
    const program = freshPlace(stubborn).start(['60000', 'broken by planted-secret']);
    expect(await program.ended).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(program.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'error',
      msg: 'ended by a defect',
      err: { message: 'broken by [redacted]' },
    });
    expect(program.stdout).not.toContain('planted-secret');
  });
});

async function started(graceMs: number) {
  const program = freshPlace(stubborn).start([String(graceMs)]);
  await program.says(/"up"/);
  return program;
}
