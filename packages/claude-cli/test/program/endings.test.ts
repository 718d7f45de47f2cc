// No matter how the real program or its host ends: one clear error, nothing left running, and the next start works.
import { callTool, reply, say, stall, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { startHost } from '../support/host.ts';
import { findMarked, isAlive, markOf } from '../support/processes.ts';
import { EventLog, eventually } from '../support/reading.ts';
import { openRealProgram, type RealProgram } from '../support/real-program.ts';

const kills = process.env['PARLEY_LONG'] === '1' ? 100 : 6;

describe('the end of the real program', () => {
  let real: RealProgram;
  beforeAll(async () => {
    real = await openRealProgram();
  });
  afterAll(() => real.close());

  it('is one clear error when it is killed in the middle of a turn, and the next start continues [driver.failure.crash] [driver.failure.next-start]', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply('Hello, Ada.'), reply(say(' Half an ans'), stall()));
    await session.sendInput('My name is Ada');
    await log.turn(1);
    await session.sendInput('Tell me more');
    await log.until(() => log.text.endsWith('Half an ans'));
    process.kill(session.status().pid as number, 'SIGKILL');
    await log.done;
    expect(log.all('error')).toMatchObject([{ code: 'crashed', fatal: true }]);
    expect(log.all('error')[0]?.message).toContain('SIGKILL in the middle of a turn');
    expect(log.states).toEqual(['starting', 'running', 'error']);
    expect(session.status()).toMatchObject({ state: 'error', pid: undefined, error: { signal: 'SIGKILL' } });

    await session.start();
    const next = new EventLog(session);
    real.standIn.enqueue(reply('Ada.'));
    await session.sendInput('What is my name?');
    expect((await next.turn(1)).text).toBe('Ada.');
    expect(JSON.stringify(real.standIn.conversations.at(-1)?.body).includes('My name is Ada')).toBe(true);
    await session.stop();
  });

  it('ends its running commands too, even those in their own sessions [driver.process.kill] [driver.process.no-orphans]', async () => {
    for (const end of ['stop', 'kill', 'crash'] as const) {
      const session = real.createSession({ custom: { permission_mode: 'bypassPermissions' } });
      const log = new EventLog(session);
      await session.start();
      const mark = await markOf(session.status().pid as number);
      const input = { command: 'tail -f /dev/null & tail -F /dev/null', description: 'Wait' };
      real.standIn.enqueue(reply(callTool('Bash', input)));
      await session.sendInput('Wait for ever');
      await eventually(async () => (await findMarked(mark)).length >= 4);
      if (end === 'crash') process.kill(session.status().pid as number, 'SIGKILL');
      else await session[end]();
      await log.done;
      expect(await findMarked(mark)).toEqual([]);
      expect(session.status().state).toBe(end === 'crash' ? 'error' : 'stopped');
    }
  });

  it(`survives ${kills} kills at random moments: one error each, no orphan, and the next start works`, {
    timeout: 60_000 + kills * 20_000,
  }, async () => {
    const session = real.createSession({ custom: { permission_mode: 'bypassPermissions' } });
    for (let round = 0; round < kills; round += 1) {
      await killAtRandomMoment(session);
      await session.start();
      const log = new EventLog(session);
      const script = real.standIn.script((request) =>
        JSON.stringify(request.body).includes(`Check ${round}.`),
      );
      script.enqueue(reply(`Well ${round}.`));
      await session.sendInput(`Check ${round}.`);
      expect((await log.turn(1)).text).toBe(`Well ${round}.`);
      await session.stop();
      script.remove();
    }
  });

  async function killAtRandomMoment(session: Session): Promise<void> {
    const script = real.standIn.script(() => true);
    const pieces = Array.from({ length: 50 }, (_, index) => wait(5 + (index % 3)));
    script.enqueue(
      reply(
        callTool('Bash', {
          command: 'echo started; tail -f /dev/null & read -t 0.2 line',
          description: 'Wait',
        }),
      ),
      reply(...pieces.flatMap((pause) => [pause, say('word ')])),
    );
    const started = session.start();
    const log = new EventLog(session);
    const { pid } = session.status();
    const mark = await markOf(session.status().pid as number);
    const spoken = started.then(() => session.sendInput('Talk')).catch(() => undefined);
    const delay = Math.random() * 1_200;
    await new Promise((resolve) => setTimeout(resolve, delay));
    const wasAlive = pid !== undefined && isAlive(pid) && session.status().pid === pid;
    if (wasAlive) process.kill(pid, 'SIGKILL');
    await Promise.allSettled([started, spoken, wasAlive ? log.done : session.stop()]);
    script.remove();

    const fatal = log.all('error').filter((error) => error.fatal);
    expect(fatal).toHaveLength(wasAlive ? 1 : 0);
    expect(['crashed', 'start_failed', undefined]).toContain(fatal[0]?.code);
    expect(await findMarked(mark)).toEqual([]);
  }

  it('follows the end of its host, even after kill -9 in the middle of a turn with commands running', async () => {
    const input = { command: 'tail -f /dev/null & tail -F /dev/null', description: 'Wait' };
    real.standIn.enqueue(reply(callTool('Bash', input)));
    const host = await startHost(real.environment, real.workingDir, 'bypassPermissions');
    await eventually(async () => (await findMarked(host.mark)).length >= 4);
    host.process.kill('SIGKILL');
    await eventually(async () => (await findMarked(host.mark)).length === 0);
    // An ending process no longer has an environment, but is not gone yet.
    await eventually(() => !isAlive(host.pid));
  });
});
