// How a session reads the bytes that a program writes, valid or not.
import { describe, expect, it } from 'vitest';
import type { LiveFrame, Session, SessionConfig } from '../../src/index.ts';
import { EventLog } from '../support/reading.ts';
import { openScriptedProgram } from '../support/scripted-program.ts';

async function start(script: string, config: SessionConfig = {}): Promise<Session> {
  const { provider, workingDir } = await openScriptedProgram(`answerInitialize();\n${script}`);
  const session = provider.createSession({ workingDir, ...config });
  await session.start();
  return session;
}

const delta = `(text) => ({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } })`;

describe('the stream of a program', () => {
  it('may arrive in any pieces, even split inside a character [driver.stream.partial-line]', async () => {
    const session = await start(`
      onPrompt(async () => {
        const delta = ${delta};
        const bytes = Buffer.from(JSON.stringify(delta('Grüße, 🧑‍🍳!')) + '\\n');
        for (const byte of bytes) { fs.writeSync(1, Buffer.from([byte])); await new Promise(setImmediate); }
        process.stdout.write(JSON.stringify({ type: 'result', subtype: 'success' }), () => process.exit(0));
      });
    `);
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.done;
    expect(log.text).toBe('Grüße, 🧑‍🍳!');
    expect(log.turns).toHaveLength(1);
    expect(log.states.at(-1)).toBe('stopped');
  });

  it('forwards deltas unparsed, byte for byte, while nobody reads events [driver.stream.by-line]', async () => {
    const session = await start(`
      const delta = ${delta};
      onPrompt(() => {
        emit(delta('one'));
        write('{"type":"stream_event", "event":{"type":"content_block_delta","delta":{"text":"tw\\\\u006f"}}}\\n');
        write('{"type":"stream_event","event":{]}\\n');
      });
    `);
    const frames: LiveFrame[] = [];
    const seen = new Promise<void>((resolve) => {
      session.onFrame((frame) => {
        if (frames.push(frame) === 3) resolve();
      });
    });
    await session.sendInput('go');
    await seen;
    expect(session.status().turnIsActive).toBe(true);
    expect(frames.map(({ type }) => type)).toEqual(['stream_event', 'stream_event', 'stream_event']);
    expect(frames[1]?.bytes.toString()).toBe(
      '{"type":"stream_event", "event":{"type":"content_block_delta","delta":{"text":"tw\\u006f"}}}',
    );
    // `frame` returns the typed view, or undefined if there is none.
    expect(frames.map(({ frame }) => frame?.kind)).toEqual(['stream_event', 'stream_event', undefined]);
    await session.stop();
  });

  it('continues after a line that is not JSON, with a warning [driver.stream.invalid-json]', async () => {
    const session = await start(`
      const delta = ${delta};
      onPrompt(() => {
        write('Warning: something is odd\\n');
        emit(delta('a'));
        write('{"type":"stream_event","event":\\n');
        write('[1, 2, 3]\\n');
        write('\\n');
        emit(delta('b'));
        result();
      });
    `);
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(log.text).toBe('ab');
    expect(log.metadata('warning').map(({ reason }) => reason)).toEqual([
      'invalid_json',
      'invalid_json',
      'invalid_json',
    ]);
    await session.stop();
    expect(log.all('error')).toEqual([]);
  });

  it('skips a line over the limit with a warning, and continues', async () => {
    const session = await start(
      `onPrompt(() => { emit({ type: 'user', big: 'x'.repeat(200000) }); result(); });`,
      { limits: { lineBytes: 100_000 } },
    );
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(log.metadata('warning')).toMatchObject([{ reason: 'overlong' }]);
    await session.stop();
  });

  it('delivers a message with the uuid of an earlier one only once [driver.stream.repeated]', async () => {
    const session = await start(`
      const answer = (uuid, text) => ({ type: 'assistant', uuid, message: { role: 'assistant', content: [{ type: 'text', text }] } });
      onPrompt(() => {
        emit(answer('a', 'one '));
        emit(answer('b', 'two '));
        emit(answer('a', 'one '));
        emit(answer(undefined, 'three '));
        emit(answer(undefined, 'three '));
        result({ uuid: 'r' });
        result({ uuid: 'r' });
        emit({ type: 'last' });
      });
    `);
    const log = new EventLog(session);
    const types: (string | undefined)[] = [];
    session.onFrame(({ type }) => void types.push(type));
    await session.sendInput('go');
    await log.until(() => log.metadata('notice').length === 1);
    expect(log.text).toBe('one two three three ');
    expect(log.turns).toHaveLength(1);
    expect(types).toEqual(['assistant', 'assistant', 'assistant', 'assistant', 'result', 'last']);
    await session.stop();
  });

  it('delivers messages of unknown types unchanged [driver.stream.unknown-type]', async () => {
    const line = '{ "novel":1.0, "type" : "from_the_future", "text":"\\u00fc" }';
    const session = await start(`onPrompt(() => { write(${JSON.stringify(line)} + '\\n'); result(); });`);
    const log = new EventLog(session);
    const lines: string[] = [];
    session.onFrame((frame) => void lines.push(frame.bytes.toString()));
    await session.sendInput('go');
    await log.turn(1);
    expect(lines[0]).toBe(line);
    expect(log.metadata('notice')).toMatchObject([{ frameType: 'from_the_future' }]);
    await session.stop();
  });

  it('calls a listener once when the session has ended, even one that was added later', async () => {
    const session = await start('onPrompt(() => result());');
    const calls: string[] = [];
    session.onFrame(
      (frame) => void calls.push(frame.type ?? ''),
      () => void calls.push('ended'),
    );
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    await session.stop();
    await session[Symbol.asyncDispose]();
    expect(calls).toEqual(['result', 'ended']);
    session.onFrame(
      () => undefined,
      () => void calls.push('late'),
    );
    expect(calls.at(-1)).toBe('late');
  });
});

describe('an eager reader', () => {
  it('may request several events at once', async () => {
    const session = await start(`
      const delta = ${delta};
      onPrompt(() => { emit(delta('one')); emit(delta('two')); process.exit(0); });
    `);
    const frames = session.frames();
    const asked = [frames.next(), frames.next(), frames.next()];
    await session.sendInput('go');
    const got = (await Promise.all(asked)).map(({ done, value }) =>
      done === true ? 'done' : /one|two/.exec(value.bytes.toString())?.[0],
    );
    expect(got).toEqual(['one', 'two', 'done']);
  });
});

describe('a slow reader', () => {
  const flood = `
    const delta = ${delta};
    let sent = 0;
    onPrompt((count) => {
      for (let i = 0; i < Number(count); i += 1) process.stdout.write(JSON.stringify(delta(String(i) + ' ')) + '\\n');
      process.stdout.write(JSON.stringify({ type: 'result', subtype: 'success' }) + '\\n');
    });
  `;

  it('of events holds the program back and misses nothing', async () => {
    const session = await start(flood, { limits: { bufferedEvents: 16, silentTurnMs: 1_000 } });
    const events = session.events();
    await session.sendInput('20000');
    // Long enough to detect a silent turn, if holding back counted as silence.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    let text = '';
    for await (const event of events) {
      if (event.type === 'output') text += event.text;
      if (event.type === 'metadata' && event.kind === 'turn_ended') break;
    }
    expect(text).toBe(Array.from({ length: 20_000 }, (_, i) => `${i} `).join(''));
    await session.stop();
  });

  it('of frames is awaited frame by frame if it returns a promise', async () => {
    const session = await start(flood);
    let running = 0;
    let most = 0;
    const frames: LiveFrame[] = [];
    session.onFrame(async (frame) => {
      running += 1;
      most = Math.max(most, running);
      frames.push(frame);
      await new Promise(setImmediate);
      running -= 1;
    });
    const log = new EventLog(session);
    await session.sendInput('5000');
    await log.turn(1);
    expect(frames).toHaveLength(5_001);
    // At most one chunk of the pipe is ever in flight.
    expect(most).toBeLessThan(1_500);
    await session.stop();
  });

  it('that takes nothing at all is left behind, with a warning for the others and an error for itself [driver.events.stalled-reader]', async () => {
    const session = await start(flood, { limits: { bufferedEvents: 16, stalledReaderMs: 200 } });
    const forgotten = session.events();
    const log = new EventLog(session);
    await session.sendInput('2000');
    await log.turn(1);
    expect(log.text).toBe(Array.from({ length: 2_000 }, (_, i) => `${i} `).join(''));
    expect(log.metadata('warning')).toMatchObject([{ reason: 'reader_stalled' }]);

    const read = async (): Promise<void> => {
      for await (const event of forgotten) expect(event.type).not.toBe('error');
    };
    await expect(read()).rejects.toMatchObject({ code: 'reader_stalled' });
    await expect(forgotten.next()).resolves.toMatchObject({ done: true });
    await session.stop();
  });

  it('of frames that never settles ends the session, because it expects every frame [driver.events.stalled-reader]', async () => {
    const session = await start(flood, { limits: { stalledReaderMs: 200 } });
    session.onFrame(() => new Promise(() => undefined));
    const log = new EventLog(session);
    await session.sendInput('10');
    await log.done;
    expect(log.all('error')).toMatchObject([{ code: 'reader_stalled', fatal: true }]);
    expect(log.states.at(-1)).toBe('error');
  });

  it('that fails or stops does not affect the others', async () => {
    const session = await start(flood);
    const log = new EventLog(session);
    const clumsy = (): never => {
      throw new Error('clumsy');
    };
    session.onFrame(clumsy, clumsy);
    const leaving = session.frames();
    await session.sendInput('10');
    const first = await leaving.next();
    expect((first.value as LiveFrame).type).toBe('stream_event');
    await leaving.return?.();
    await log.turn(1);
    expect(log.text).toBe('0 1 2 3 4 5 6 7 8 9 ');
    expect(log.metadata('warning')[0]).toMatchObject({ reason: 'listener' });

    let sawTheEnd = false;
    session.onFrame(
      () => undefined,
      () => {
        sawTheEnd = true;
      },
    );
    const before = log.metadata('warning').length;
    await session.stop();
    await log.done;
    expect(sawTheEnd).toBe(true);
    expect(log.metadata('warning')).toHaveLength(before + 1);
  });
});
