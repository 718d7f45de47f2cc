// A year-old version of the program: fewer flags, other rules for forks, and results that don't mention interruptions.
import {
  callTool,
  lastToolResults,
  type RecordedRequest,
  reply,
  resultText,
  say,
  wait,
} from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oldProgram, oldVersion } from '../support/old-program.ts';
import { findMarked, isAlive, markOf } from '../support/processes.ts';
import { EventLog } from '../support/reading.ts';
import { openRealProgram, type RealProgram } from '../support/real-program.ts';

const isPrompt = ({ body }: RecordedRequest) => (body.tools?.length ?? 0) > 0;

describe('an old version of the program', () => {
  let real: RealProgram;
  beforeAll(async () => {
    real = await openRealProgram({ program: oldProgram });
    // This version also asks the model on the side, for example what a command does. Those requests have no tools.
    real.standIn.script((request) => !isPrompt(request)).always(reply('none'));
  });
  afterAll(() => real.close());

  it('runs without the options that it lacks, and warns about each [driver.versions.skip]', async () => {
    const session = real.createSession({
      custom: { effort: 'low', name: 'Soup', replay_user_messages: true },
    });
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply(say('Hello ', 'there.')));
    await session.sendInput('Greet');
    expect(await log.turn(1)).toMatchObject({ outcome: 'success', isError: false });
    const { pid } = session.status();
    const mark = await markOf(pid as number);
    await session.stop();
    expect(log.text).toBe('Hello there.');
    expect(log.all('output').length).toBeGreaterThan(1);
    expect(log.metadata('warning').map(({ message }) => message)).toEqual([
      `claude ${oldVersion} has no --effort, so effort has no effect.`,
      `claude ${oldVersion} has no --name, so name has no effect.`,
    ]);
    expect(isAlive(pid as number)).toBe(false);
    expect(await findMarked(mark)).toEqual([]);
  });

  it('is not started without a limit that it lacks [driver.versions.too-old]', async () => {
    const session = real.createSession({ custom: { max_budget_usd: 1 } });
    await expect(session.start()).rejects.toMatchObject({
      code: 'program_too_old',
      message: `This claude is too old: ${oldVersion} has no --max-budget-usd. Update it.`,
    });
    expect(session.status()).toMatchObject({ state: 'error', pid: undefined });
  });

  it('is interrupted without an error [driver.versions.interrupt]', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply(say('One'), wait(new Promise(() => undefined))), reply('Two'));
    await session.sendInput('Count');
    await log.until(({ text }) => text.includes('One'));
    await session.interrupt();
    expect(await log.turn(1)).toMatchObject({ outcome: 'error_during_execution', interrupted: true });
    expect(log.all('error')).toEqual([]);

    await session.sendInput('Go on');
    expect(await log.turn(2)).toMatchObject({ interrupted: false, text: 'Two' });
    await session.stop();
  });

  it('asks for permission, resumes, and forks under an id of its own [driver.versions.fork]', async () => {
    const original = real.createSession({
      onPermission: ({ toolName }) => ({ behavior: 'deny', message: `${toolName} is not for today.` }),
    });
    const log = new EventLog(original);
    await original.start();
    const call = callTool('Bash', { command: 'rm -r heron', description: 'Remove it' });
    real.standIn.enqueue(reply(call), reply('Noted.'));
    await original.sendInput('The code word is heron');
    await log.turn(1);
    const request = real.standIn.conversations.findLast(isPrompt);
    expect(request && lastToolResults(request.body).map(resultText)).toEqual(['Bash is not for today.']);
    await original.stop();
    const { sessionId } = original.status();

    for (const [options, isFork] of [
      [{ resume: sessionId, fork_session: true }, true],
      [{ resume: sessionId }, false],
    ] as const) {
      const session = real.createSession({ custom: options });
      const events = new EventLog(session);
      await session.start();
      real.standIn.enqueue(reply('Heron.'));
      await session.sendInput('The code word?');
      const turn = await events.turn(1);
      await session.stop();
      expect(turn.text).toBe('Heron.');
      expect(session.status().sessionId).toBe(turn.sessionId);
      expect(turn.sessionId === sessionId).toBe(!isFork);
      expect(JSON.stringify(real.standIn.conversations.findLast(isPrompt)?.body)).toContain(
        'The code word is heron',
      );
    }
  });
});
