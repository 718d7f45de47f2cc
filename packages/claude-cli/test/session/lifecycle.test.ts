// The lifecycle of a session, with a scripted program.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session, SessionConfig, UserInput } from '../../src/index.ts';
import { isAlive } from '../support/processes.ts';
import { EventLog, eventually } from '../support/reading.ts';
import { openScriptedProgram, type ScriptedProgram } from '../support/scripted-program.ts';

const echo = `
answerInitialize();
onPrompt((text) => { emit({ type: 'assistant', message: { id: 'm' + text, role: 'assistant', content: [{ type: 'text', text }] } }); result(); });
process.stdin.on('end', () => process.exit(0));
`;

let scripted: ScriptedProgram;

async function open(
  script: string,
  config: SessionConfig = {},
): Promise<{ session: Session; log: EventLog }> {
  scripted = await openScriptedProgram(script);
  const session = scripted.provider.createSession(
    { workingDir: scripted.workingDir, ...config },
    'session-123',
  );
  return { session, log: new EventLog(session) };
}

describe('the states of a session', () => {
  it('reject illegal transitions with a message [driver.process.states]', async () => {
    const { session, log } = await open(echo);
    const refusal = { code: 'illegal_move' };
    expect(session.status().state).toBe('created');
    await expect(session.stop()).rejects.toMatchObject(refusal);
    await expect(session.kill()).rejects.toMatchObject(refusal);
    await expect(session.sendInput('hi')).rejects.toThrow(
      'sendInput() needs a session that is starting, running or paused, but this one is created.',
    );
    await expect(session.interrupt()).rejects.toMatchObject(refusal);
    expect(() => session.pause()).toThrow(
      'pause() needs a session that is running, but this one is created.',
    );

    await session.start();
    await expect(session.start()).rejects.toThrow('this one is running');
    expect(() => session.resume()).toThrow('resume() needs a session that is paused');
    session.pause();
    expect(() => session.pause()).toThrow('this one is paused');
    session.resume();
    const stopping = session.stop();
    expect(() => session.pause()).toThrow('this one is stopping');
    await stopping;
    await log.done;
    expect(log.states).toEqual(['starting', 'running', 'paused', 'running', 'stopping', 'stopped']);

    await session.start();
    expect(session.status().state).toBe('running');
    await session.kill();
    expect(session.status().state).toBe('stopped');
  });

  it('allow stopping a session that has ended [driver.process.stop-again]', async () => {
    const { session, log } = await open(echo);
    await session.start();
    await session.sendInput('hi');
    session.endInput();
    await log.done;
    expect(session.status().state).toBe('stopped');
    await session.stop();
    await session.kill();
    expect(session.status().state).toBe('stopped');

    const failing = scripted.provider.createSession({ workingDir: '/nowhere/at/all' });
    await expect(failing.start()).rejects.toMatchObject({ code: 'start_failed' });
    await failing.stop();
    expect(failing.status()).toMatchObject({ state: 'error', error: { code: 'start_failed' } });
  });

  it('include the process and the last error at any time [driver.process.status]', async () => {
    const { session } = await open(`answerInitialize(); onPrompt(() => process.exit(3));`);
    expect(session.status()).toMatchObject({ state: 'created', pid: undefined, error: undefined });
    expect(session.introduction).toBeUndefined();
    await session.start();
    expect(session.introduction).toEqual({ commands: [] });
    const { pid, sessionId } = session.status();
    expect(isAlive(pid as number)).toBe(true);
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    const log = new EventLog(session);
    await session.sendInput('go').catch(() => undefined);
    expect(session.status().turnIsActive).toBe(true);
    await log.done;
    expect(session.status()).toMatchObject({ state: 'error', pid: undefined, error: { exitCode: 3 } });
  });

  it.each([
    [undefined],
    [null],
    [7],
    [''],
    [' \n'],
    [[]],
    [['text']],
    [{ content: '' }],
    [{ content: [{}] }],
  ])('do not change with invalid input: %j', async (input) => {
    const { session, log } = await open(echo);
    await session.start();
    await expect(session.sendInput(input as unknown as UserInput)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await session.sendInput('a word');
    await log.turn(1);
    expect(log.text).toBe('a word');
  });

  it('reach running with the first message of a program that does not answer initialize [driver.process.running-at-first-message]', async () => {
    const { session, log } = await open(`
      emit({ type: 'message_start', message: { id: 'm1', usage: { input_tokens: 10 } } });
      forever();
    `);
    await session.start();
    expect(session.status().state).toBe('running');
    await session.stop();
    await log.done;
    expect(log.states).toEqual(['starting', 'running', 'stopping', 'stopped']);
  });

  it('stay at starting, with buffered input, until the program is ready', async () => {
    const { session, log } = await open('forever();');
    const started = session.start();
    const sent = session.sendInput('hi');
    await Promise.race([started, new Promise((resolve) => setTimeout(resolve, 200))]);
    expect(session.status()).toMatchObject({ state: 'starting', waitingInputs: 1 });
    await Promise.all([
      expect(started).rejects.toMatchObject({ code: 'aborted' }),
      expect(sent).rejects.toMatchObject({ code: 'aborted' }),
      session.stop(),
    ]);
    await log.done;
    expect(log.states).toEqual(['starting', 'stopping', 'stopped']);
  });

  it('pass input on before the program is ready, after the handshake', async () => {
    const { session, log } = await open(`
      let asked;
      onLine((line) => {
        if (line.type === 'control_request') asked = line.request_id;
        if (line.type !== 'user') return;
        // It becomes ready only now.
        emit({ type: 'control_response', response: { subtype: 'success', request_id: asked, response: {} } });
        result({ result: 'Answered ' + line.message.content });
      });
    `);
    const started = session.start();
    await Promise.all([session.sendInput('early'), started]);
    await log.turn(1);
    expect(log.turns.map(({ text }) => text)).toEqual(['Answered early']);
    await session.stop();
  });

  it('end as stopped after the last turn when the input ends, even if that turn starts late', async () => {
    const { session, log } = await open(
      `answerInitialize();
       let turns = 0;
       const ask = () => emit({ type: 'control_request', request_id: 'q' + turns, request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } });
       onLine((line) => {
         if (line.type === 'user' && turns === 0) { turns = 1; ask(); }
         if (line.type !== 'control_response') return;
         result({ result: line.response.response.message });
         if (turns === 1) setTimeout(() => { turns = 2; emit({ type: 'assistant', message: { id: 'm2', role: 'assistant', content: [] } }); ask(); }, 200);
       });
       process.stdin.on('end', () => process.exit(0));`,
      { onPermission: ({ requestId }) => ({ behavior: 'deny', message: `No to ${requestId}.` }) },
    );
    await session.start();
    await session.sendInput('one');
    await session.sendInput('two');
    session.endInput();
    await log.done;
    expect(log.turns.map(({ text }) => text)).toEqual(['No to q1.', 'No to q2.']);
    expect(log.states).toEqual(['starting', 'running', 'stopped']);
  });

  it('end as stopped at the end of a bare stream, together with the process', async () => {
    const { session, log } = await open(`
      answerInitialize();
      onPrompt(() => {
        emit({ type: 'message_start', message: { id: 'm1', usage: { input_tokens: 10 } } });
        emit({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } });
        emit({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } });
        emit({ type: 'message_stop' });
      });
      process.stdin.on('end', () => process.exit(0));
    `);
    await session.start();
    await session.sendInput('hi');
    await log.done;
    expect(log.text).toBe('Hello');
    expect(log.states).toEqual(['starting', 'running', 'stopped']);
    expect(log.all('error')).toEqual([]);
  });
});

describe('a session that starts again', () => {
  it('reports to readers that were opened before that start [driver.events.next-start]', async () => {
    const { session, log } = await open(echo);
    await session.start();
    await session.sendInput('before');
    await log.turn(1);
    await session.stop();
    await log.done;

    const again = new EventLog(session);
    const frames = session.frames();
    await session.start();
    await session.sendInput('after');
    await again.turn(1);
    expect((await frames.next()).value?.type).toBe('assistant');
    await session.stop();
    await again.done;
    expect(again.states).toEqual(['starting', 'running', 'stopping', 'stopped']);
    expect(again.text).toBe('after');
    expect(log.text).toBe('before');
  });

  it('ends readers that wait for it when it is disposed of', async () => {
    const { session } = await open(echo);
    await session.start();
    await session.stop();
    const waiting = new EventLog(session);
    await session[Symbol.asyncDispose]();
    await waiting.done;
    expect(waiting.events).toEqual([]);
    await new EventLog(session).done;
  });
});

describe('a call that nobody waits for', () => {
  it('does not crash the host when the session ends before it is done [driver.process.abandoned-calls]', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    try {
      const { session } = await open(`answerInitialize(); onPrompt(() => process.stdin.pause()); forever();`);
      void session.start();
      void session.sendInput('while it starts');
      await session.kill();

      await session.start();
      void session.interrupt();
      void session.setModel('sonnet');
      session.pause();
      void session.sendInput('while it is paused');
      session.resume();
      // More than pipes and streams can hold: it stays in the host.
      void session.sendInput('x'.repeat(4_000_000));
      await session.kill();
      await new Promise(setImmediate);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
  });
});

describe('the end of a process', () => {
  it('is requested by SIGTERM', async () => {
    const { session } = await open(`
      answerInitialize();
      process.on('SIGTERM', () => { fs.writeFileSync('goodbye', 'in order'); process.exit(143); });
    `);
    await session.start();
    await session.stop();
    expect(await readFile(join(scripted.workingDir, 'goodbye'), 'utf8')).toBe('in order');
  });

  it('is forced by SIGKILL after the grace period [driver.process.stop-gracefully]', async () => {
    const { session } = await open(`answerInitialize(); process.on('SIGTERM', () => {}); forever();`, {
      limits: { stopGraceMs: 200 },
    });
    await session.start();
    const { pid } = session.status();
    await session.stop();
    expect(isAlive(pid as number)).toBe(false);
    expect(session.status().state).toBe('stopped');
  });

  it('ends the whole process group, even children that ignore SIGTERM', async () => {
    const { session } = await open(`
      const child = require('node:child_process').spawn(process.execPath,
        ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'ignore' });
      fs.writeFileSync('child', String(child.pid));
      answerInitialize();
    `);
    await session.start();
    const child = Number(await readFile(join(scripted.workingDir, 'child'), 'utf8'));
    expect(isAlive(child)).toBe(true);
    await session.stop();
    await eventually(() => !isAlive(child));
  });
});

describe('a program that stops reading', () => {
  // A child that inherits the pipe keeps it open when the program ends.
  const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
    { detached: true, stdio: ['inherit', 'ignore', 'ignore'] });`;

  it.each([
    ['', ''],
    [', even if one of its children still has its input', child],
  ])('gets a bounded amount of input, and waiting calls fail when it ends%s', async (_, begin) => {
    const { session } = await open(
      `${begin} answerInitialize(); onPrompt(() => process.stdin.pause()); forever();`,
      { limits: { inputBytes: 100_000 } },
    );
    await session.start();
    await session.sendInput('Look away');
    // More than pipes and streams can hold: it stays in the host.
    const waiting = session.sendInput('x'.repeat(4_000_000));
    await expect(session.sendInput('One more')).rejects.toMatchObject({ code: 'input_full' });
    const killed = session.kill();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await killed;
  });
});

describe('a paused session', () => {
  const limits = { waitingInputs: 3 };

  it('buffers input and sends it in order when it resumes [driver.process.pause-buffers-input]', async () => {
    const { session, log } = await open(echo, { limits });
    await session.start();
    session.pause();
    const sent = ['one ', 'two ', 'three '].map((text) => session.sendInput(text));
    await expect(session.sendInput('four')).rejects.toMatchObject({ code: 'input_full' });
    expect(session.status()).toMatchObject({ state: 'paused', waitingInputs: 3 });
    expect(log.text).toBe('');
    session.resume();
    await Promise.all(sent);
    await log.turn(3);
    expect(log.text).toBe('one two three ');
    await session.stop();
  });

  it('bounds the buffer in bytes too', async () => {
    const { session } = await open(echo, { limits: { inputBytes: 1_000 } });
    await session.start();
    session.pause();
    const waiting = session.sendInput('x'.repeat(500));
    await expect(session.sendInput('x'.repeat(500))).rejects.toMatchObject({ code: 'input_full' });
    const stopped = session.stop();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await stopped;
  });

  it('sends what is waiting before its input ends [driver.process.end-input]', async () => {
    const { session, log } = await open(echo);
    await session.start();
    session.pause();
    const sent = session.sendInput('last words');
    session.endInput();
    await expect(session.sendInput('more')).rejects.toThrow('The input was closed.');
    expect(session.status()).toMatchObject({ state: 'paused', waitingInputs: 1 });
    session.resume();
    await sent;
    await log.done;
    expect(log.text).toBe('last words');
    expect(log.states.at(-1)).toBe('stopped');
  });

  it('ends with its input if nothing is waiting [driver.process.end-input]', async () => {
    const { session, log } = await open(echo);
    await session.start();
    session.pause();
    session.endInput();
    await log.done;
    expect(log.states).toEqual(['starting', 'running', 'paused', 'stopped']);
  });

  it('may end its input while it starts [driver.process.end-input]', async () => {
    const { session, log } = await open(echo);
    const started = session.start();
    const sent = session.sendInput('early');
    session.endInput();
    await Promise.all([started, sent, log.done]);
    expect(log.text).toBe('early');
    expect(log.states).toEqual(['starting', 'running', 'stopped']);
  });

  it("still gets the program's output", async () => {
    const { session, log } = await open(`answerInitialize(); onPrompt(() => setTimeout(result, 100));`);
    await session.start();
    await session.sendInput('go');
    session.pause();
    await log.turn(1);
    expect(session.status().state).toBe('paused');
    await session.stop();
  });
});
