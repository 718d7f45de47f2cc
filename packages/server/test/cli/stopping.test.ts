// Stopping: running work may finish, but it can't take forever.
import { describe, expect, it } from 'vitest';
import { bundled, freshPlace } from './parley-process.ts';

const stubborn = await bundled(new URL('./children/stubborn.ts', import.meta.url));

describe('a server that is asked to stop', () => {
  it('waits for running work, then exits with 0', async () => {
    const program = await started(60_000);
    program.child.kill('SIGTERM');
    await program.says(/stopping/);
    program.child.stdin?.write('done\n');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(program.stdout).toContain('"stopped"');
  });

  it('counts signals that arrive together as one request', async () => {
    const program = await started(60_000, { sameRequestMs: 60_000 });
    program.child.kill('SIGINT');
    program.child.kill('SIGINT');
    await program.says(/stopping/);
    program.child.kill('SIGINT');
    program.child.stdin?.write('done\n');
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  it('exits at once when it is asked again', async () => {
    const program = await started(60_000, { sameRequestMs: 0 });
    program.child.kill('SIGINT');
    await program.says(/stopping/);
    expect(await program.stop('SIGINT')).toMatchObject({ code: 1 });
    expect(program.stdout).not.toContain('"stopped"');
  });

  it('exits when closing takes too long', async () => {
    const program = await started(200);
    expect(await program.stop()).toMatchObject({ code: 1 });
    expect(program.stdout).toContain('stopped before everything was closed');
  });

  it('exits with 1 if something could not be closed', async () => {
    const program = await started(60_000);
    program.child.kill('SIGTERM');
    await program.says(/stopping/);
    program.child.stdin?.write('fail\n');
    expect(await program.ended).toMatchObject({ code: 1 });
    expect(program.stdout).toContain('could not close');
  });

  it('logs an uncaught error and exits', async () => {
    const program = freshPlace(stubborn).start(['60000', '0', 'broken by planted-secret']);
    expect(await program.ended).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(program.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'error',
      msg: 'stopped by an uncaught error',
      err: { message: 'broken by [redacted]' },
    });
    expect(program.stdout).not.toContain('planted-secret');
  });
});

async function started(graceMs: number, { sameRequestMs = 500 } = {}) {
  const program = freshPlace(stubborn).start([String(graceMs), String(sameRequestMs)]);
  await program.says(/"up"/);
  return program;
}
