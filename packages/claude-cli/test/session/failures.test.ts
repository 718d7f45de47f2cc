// Programs that fail, hang or die: each failure has a code and one error event, and leaves nothing running.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProviderOptions, Session, SessionConfig } from '../../src/index.ts';
import { startHost } from '../support/host.ts';
import { findMarked, isAlive } from '../support/processes.ts';
import { EventLog, eventually } from '../support/reading.ts';
import { openScriptedProgram, type ScriptedProgram } from '../support/scripted-program.ts';

let scripted: ScriptedProgram;

async function open(
  script: string,
  config: SessionConfig = {},
  options: Partial<ProviderOptions> = {},
): Promise<Session> {
  scripted = await openScriptedProgram(script, options);
  return scripted.provider.createSession({ workingDir: scripted.workingDir, ...config }, 'one');
}

async function failureOf(session: Session): Promise<EventLog> {
  const log = new EventLog(session);
  await session.start();
  const { pid } = session.status();
  await session.sendInput('go').catch(() => undefined);
  await log.done;
  expect(isAlive(pid as number)).toBe(false);
  expect(log.states.at(-1)).toBe('error');
  expect(log.all('error')).toHaveLength(1);
  return log;
}

describe('a program that cannot be started', () => {
  it.each([
    [
      'is not there',
      { program: '/nowhere/claude' },
      {},
      'program_not_found',
      'no executable program at /nowhere',
    ],
    [
      'has nowhere to work',
      {},
      { workingDir: '/nowhere/at/all' },
      'start_failed',
      '/nowhere/at/all does not exist',
    ],
  ] as const)(
    'because it %s leaves one error [driver.failure.start]',
    async (_, options, config, code, message) => {
      const session = await open('', config, options);
      const log = new EventLog(session);
      await expect(session.start()).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
      await log.done;
      expect(log.states).toEqual(['starting', 'error']);
      expect(log.all('error')).toMatchObject([{ code, fatal: true }]);
    },
  );

  it('is reported with its stderr', async () => {
    const session = await open(`process.stderr.write('no key in the lock'); process.exit(2);`);
    await expect(session.start()).rejects.toMatchObject({
      code: 'start_failed',
      exitCode: 2,
      stderr: 'no key in the lock',
      message: expect.stringContaining(
        'exited with code 2 before it was ready. It wrote “no key in the lock” to stderr.',
      ),
    });
  });

  it('is ended when the caller aborts', async () => {
    const session = await open('forever();');
    const giveUp = new AbortController();
    const started = session.start({ signal: giveUp.signal });
    giveUp.abort();
    await expect(started).rejects.toMatchObject({ code: 'aborted' });
    expect(session.status()).toMatchObject({ state: 'stopped', pid: undefined });
    await expect(session.start({ signal: giveUp.signal })).rejects.toThrow('aborted');
    expect(session.status().state).toBe('stopped');
  });

  it('is ended when it is not ready in time', async () => {
    const session = await open('forever();', { limits: { startMs: 200, stopGraceMs: 100 } });
    await expect(session.start()).rejects.toMatchObject({ code: 'start_failed' });
    expect(session.status()).toMatchObject({ state: 'error', pid: undefined });
  });
});

describe('a program that fails in a turn', () => {
  it('by crashing causes one error with the end of its stderr', async () => {
    const session = await open(
      `answerInitialize(); onPrompt(() => { fs.writeSync(2, 'x'.repeat(100000) + ' the last words'); process.exit(7); });`,
      { limits: { stderrBytes: 1_000 } },
    );
    const log = await failureOf(session);
    expect(log.all('error')[0]).toMatchObject({ code: 'crashed' });
    expect(log.all('error')[0]?.message).toContain('the last words');
    expect(session.status().error?.stderr?.length).toBeLessThanOrEqual(1_000);
  });

  it('by silence is detected [driver.failure.stall]', async () => {
    const session = await open(`answerInitialize(); forever();`, {
      limits: { silentTurnMs: 300, stopGraceMs: 500 },
    });
    expect((await failureOf(session)).all('error')[0]).toMatchObject({ code: 'turn_silent' });
  });

  it('by ending its stream without a result is detected [driver.failure.stall]', async () => {
    const session = await open(`answerInitialize(); onPrompt(() => process.exit(0));`);
    expect((await failureOf(session)).all('error')[0]).toMatchObject({ code: 'stream_ended' });
  });

  it('by not exiting after its work is detected [driver.failure.stall]', async () => {
    const session = await open(`answerInitialize(); onPrompt(() => result()); forever();`, {
      limits: { exitMs: 200, stopGraceMs: 200 },
    });
    const log = new EventLog(session);
    await session.start();
    await session.sendInput('go');
    session.endInput();
    await log.done;
    expect(log.turns).toHaveLength(1);
    expect(log.all('error')).toMatchObject([{ code: 'no_exit' }]);
    expect(session.status()).toMatchObject({ state: 'error', pid: undefined });
  });

  it('by an error on its bare stream reports that error [driver.events.error]', async () => {
    const session = await open(`
      answerInitialize();
      onPrompt(() => emit({ type: 'error', error: { type: 'overloaded_error', message: 'Too many cooks' } }));
      forever();
    `);
    const log = await failureOf(session);
    expect(log.all('error')[0]).toMatchObject({
      code: 'model_error',
      message: expect.stringContaining('Too many cooks'),
      errorType: 'overloaded_error',
      fatal: true,
    });
    expect(session.status().error).toMatchObject({ code: 'model_error', errorType: 'overloaded_error' });
  });

  it('by an error that is only a text reports that text [driver.events.error]', async () => {
    const session = await open(`
      answerInitialize();
      onPrompt(() => emit({ type: 'error', error: 'boom' }));
      forever();
    `);
    expect((await failureOf(session)).all('error')[0]).toMatchObject({
      code: 'model_error',
      message: expect.stringContaining('boom'),
    });
  });

  it('but keeps writing is not silent', async () => {
    const session = await open(
      `answerInitialize();
       onPrompt(() => { let n = 0; const timer = setInterval(() => { emit({ type: 'tool_progress' }); if (++n === 10) { clearInterval(timer); result(); } }, 250); });`,
      { limits: { silentTurnMs: 2_000 } },
    );
    const log = new EventLog(session);
    await session.start();
    await session.sendInput('go');
    await log.turn(1);
    await session.stop();
    expect(log.all('error')).toEqual([]);
  });
});

describe('the circuit breaker of a session', () => {
  const failing = `fs.existsSync('mended') ? (answerInitialize(), onPrompt(() => result())) : process.exit(1);`;

  it('refuses a start for 30 seconds after three failures, and says when to try again [driver.breaker.cooldown]', async () => {
    let now = 1_000_000;
    const session = await open(failing, {}, { now: () => now });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(session.start()).rejects.toMatchObject({ code: 'start_failed' });
    }
    now += 10_000;
    await expect(session.start()).rejects.toMatchObject({
      code: 'breaker_open',
      retryAt: 1_030_000,
      message: expect.stringContaining('Try again in 20 s'),
    });
    expect(session.status().state).toBe('error');
    // Another object for the same session does not bypass it; another session is not affected.
    const { provider, workingDir } = scripted;
    await expect(provider.createSession({ workingDir }, 'one').start()).rejects.toMatchObject({
      code: 'breaker_open',
    });
    await expect(provider.createSession({ workingDir }, 'two').start()).rejects.toMatchObject({
      code: 'start_failed',
    });
  });

  it('tries once after the cooldown, and closes when that works [driver.breaker.half-open]', async () => {
    let now = 0;
    const session = await open(failing, {}, { now: () => now });
    for (let attempt = 0; attempt < 3; attempt += 1) await session.start().catch(() => undefined);
    now += 30_000;
    await expect(session.start()).rejects.toMatchObject({ code: 'start_failed' });
    await expect(session.start()).rejects.toMatchObject({ code: 'breaker_open', retryAt: 60_000 });
    now += 30_000;
    const { workingDir } = scripted;
    await writeFile(join(workingDir, 'mended'), '');
    await session.start();
    await session.stop();
    await session.start();
    await session.stop();
  });
});

describe('the circuit breaker of a program', () => {
  const failing = `fs.existsSync('mended') ? (answerInitialize(), onPrompt(() => result())) : process.exit(1);`;
  const start = (id: string, config = {}) => {
    const { provider, workingDir } = scripted;
    return provider.createSession({ workingDir, ...config }, id).start();
  };

  it('refuses every session after the program failed to start in several, until one start works [driver.breaker.program]', async () => {
    let now = 0;
    await open(failing, {}, { now: () => now });
    // Problems of a single session do not count.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(start('one')).rejects.toMatchObject({ code: 'start_failed' });
    }
    await expect(start('gone', { workingDir: '/nowhere' })).rejects.toMatchObject({ code: 'start_failed' });
    for (const id of ['two', 'three', 'four']) {
      await expect(start(id)).rejects.toMatchObject({ code: 'start_failed' });
    }
    await expect(start('five')).rejects.toMatchObject({ code: 'breaker_open', retryAt: 30_000 });
    now += 30_000;
    await expect(start('two')).rejects.toMatchObject({ code: 'start_failed' });
    await expect(start('six')).rejects.toMatchObject({ code: 'breaker_open', retryAt: 60_000 });
    now += 30_000;
    const { workingDir } = scripted;
    await writeFile(join(workingDir, 'mended'), '');
    await start('seven');
    await start('eight');
  });
});

describe('a host that is killed', () => {
  it('also ends a program that ignores the end of its input and SIGTERM', async () => {
    scripted = await openScriptedProgram(`
      answerInitialize();
      process.on('SIGTERM', () => {});
      process.stdin.on('end', () => {});
      forever();
    `);
    const environment = { PATH: '/usr/bin:/bin', HOME: scripted.workingDir };
    const host = await startHost(environment, scripted.workingDir, 'default', scripted.program);
    expect(isAlive(host.pid)).toBe(true);
    host.process.kill('SIGKILL');
    await eventually(() => !isAlive(host.pid));
    expect(await findMarked(host.mark)).toEqual([]);
  });
});
