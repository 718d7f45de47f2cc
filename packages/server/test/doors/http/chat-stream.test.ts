// The NDJSON stream of the notes assistant, line by line.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, collect, type DoorHarness, gate, key, linesOf, startDoor, until } from './door-harness.ts';

const sessionLine = /^\{"type":"session","session_id":"[0-9a-f-]{36}"\}$/;

describe('the NDJSON stream', () => {
  let door: DoorHarness;
  beforeAll(async () => {
    door = await startDoor();
    door.engine.scripts.set('read my note', async function* () {
      yield { type: 'text.delta', text: 'Let me ' };
      yield { type: 'text.delta', text: 'read that file.' };
      yield { type: 'tool.started', id: 't1', tool: 'read_file', input: { path: 'notes.md' } };
      yield { type: 'tool.ended', id: 't1', tool: 'read_file', outcome: 'finished' };
      yield { type: 'thinking.delta', text: 'hm' };
      yield { type: 'notice', code: 'trimmed', message: 'Older turns were left out.' };
      yield { type: 'text.delta', text: 'The file contains…' };
      yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'The file contains…' }] };
    });
  });
  afterAll(() => door.stop());

  const stream = (message: string, fields: object = {}, headers: Record<string, string> = {}) =>
    door.post('/api/claude/chat-stream', { message, ...fields }, headers);
  const allLines = (response: Response) => collect(linesOf(response));

  it('carries text, tool calls and the session id in order [notes.stream.order] [notes.stream.text] [notes.stream.tool-use] [notes.stream.session-last]', async () => {
    const response = await stream('read my note');
    const lines = await allLines(response);
    expect(lines).toEqual([
      '{"type":"text","delta":"Let me "}',
      '{"type":"text","delta":"read that file."}',
      '{"type":"tool_use","name":"read_file","input":{"path":"notes.md"}}',
      '{"type":"notice","code":"trimmed","message":"Older turns were left out."}',
      '{"type":"text","delta":"The file contains…"}',
      `{"type":"session","session_id":"${response.headers.get('x-session-id')}"}`,
    ]);
  });

  it('is served as NDJSON that is neither buffered nor cached [notes.stream.ndjson]', async () => {
    const response = await stream('Hello');
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .every((line) => typeof JSON.parse(line) === 'object'),
    ).toBe(true);
  });

  it('sends text before the reply is complete [notes.stream.live]', async () => {
    const held = gate();
    door.engine.scripts.set('slowly', async function* () {
      yield { type: 'text.delta', text: 'first' };
      await held.opened;
      yield { type: 'text.delta', text: 'second' };
    });
    const lines = linesOf(await stream('slowly'));
    expect((await lines.next()).value).toBe('{"type":"text","delta":"first"}');
    held.open();
    expect((await lines.next()).value).toBe('{"type":"text","delta":"second"}');
    expect((await lines.next()).value).toMatch(sessionLine);
    expect((await lines.next()).done).toBe(true);
  });

  it('sends the session id before the first line, so that a client can come back', async () => {
    const held = gate();
    door.engine.scripts.set('silent', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'late' };
    });
    const response = await stream('silent');
    const id = response.headers.get('x-session-id') ?? '';
    expect((await door.gateway.getSession('sebastian', id)).id).toBe(id);
    held.open();
    await response.text();
  });

  it('sends a failure, and the session id after it [notes.stream.error] [notes.stream.session-after-error]', async () => {
    door.engine.scripts.set('fail', async function* () {
      yield { type: 'text.delta', text: 'so far' };
      yield { type: 'failed', code: 'unavailable', message: 'The model is overloaded.', recoverable: true };
    });
    const lines = await allLines(await stream('fail'));
    expect(lines).toEqual([
      '{"type":"text","delta":"so far"}',
      '{"type":"error","message":"The model is overloaded."}',
      expect.stringMatching(sessionLine),
    ]);
  });

  it('keeps the details of a bug out of the stream', async () => {
    door.engine.scripts.set('defect', async function* () {
      yield { type: 'text.delta', text: 'so far' };
      throw new Error('a path and a secret');
    });
    const lines = await allLines(await stream('defect'));
    expect(lines[1]).toBe(
      '{"type":"error","message":"Something went wrong inside Parley. The server log has the details."}',
    );
  });

  it('reports that the turn was interrupted from elsewhere', async () => {
    door.engine.scripts.set('long', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const response = await stream('long');
    const lines = linesOf(response);
    await lines.next();
    await door.gateway.interrupt('sebastian', response.headers.get('x-session-id') ?? '');
    expect((await lines.next()).value).toBe(
      '{"type":"error","message":"The turn was interrupted before it was complete."}',
    );
    expect((await lines.next()).value).toMatch(sessionLine);
  });

  it('loses nothing when the client disconnects: the turn completes and is in the history [notes.stream.disconnect]', async () => {
    const held = gate();
    door.engine.scripts.set('leave me', async function* () {
      yield { type: 'text.delta', text: 'first ' };
      await held.opened;
      yield { type: 'text.delta', text: 'second' };
    });
    const leaving = new AbortController();
    const response = await door.fetch('/api/claude/chat-stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'leave me' }),
      signal: leaving.signal,
    });
    const id = response.headers.get('x-session-id') ?? '';
    await linesOf(response).next();
    leaving.abort();
    await until(async () => (await openStreams(door)) === 0);
    held.open();
    await until(async () => (await door.gateway.state('sebastian', id)).running === undefined);
    expect(await bodyOf(await door.fetch(`/api/claude/history?session_id=${id}`))).toEqual({
      success: true,
      history: [
        { role: 'user', content: 'leave me' },
        { role: 'assistant', content: 'first second' },
      ],
    });
  });

  it('replays a turn for a repeated Idempotency-Key, and runs it once', async () => {
    const before = door.engine.prompts.length;
    const first = await allLines(await stream('read my note', {}, { 'idempotency-key': 'stream-1' }));
    const again = await allLines(await stream('read my note', {}, { 'idempotency-key': 'stream-1' }));
    expect(again).toEqual(first);
    expect(door.engine.prompts.length - before).toBe(1);
  });

  it('carries only its own turn if another one runs before it', async () => {
    const held = gate();
    door.engine.scripts.set('before', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'not for the second' };
    });
    const first = await stream('before');
    const id = first.headers.get('x-session-id');
    const second = await stream('after', { session_id: id });
    held.open();
    expect(await allLines(second)).toEqual([
      '{"type":"text","delta":"You said: after"}',
      `{"type":"session","session_id":"${id}"}`,
    ]);
    expect(await allLines(first)).toHaveLength(2);
  });

  it('ends with an error if its session is cleared while the message waits', async () => {
    door.engine.scripts.set('hold', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const first = await stream('hold');
    const id = first.headers.get('x-session-id');
    const second = await stream('waits', { session_id: id });
    await door.post('/api/claude/clear', { session_id: id });
    expect((await allLines(second)).map((line) => JSON.parse(line).type)).toEqual(['error', 'session']);
    await first.text();
  });

  it('is counted while it is open', async () => {
    const held = gate();
    door.engine.scripts.set('counted', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const response = await stream('counted');
    expect(await openStreams(door)).toBe(1);
    held.open();
    await response.text();
    await until(async () => (await openStreams(door)) === 0);
  });
});

describe('a quiet stream', () => {
  it.each([
    { name: 'after five seconds', pingMs: undefined, pings: 1 },
    { name: 'again and again', pingMs: 20, pings: 5 },
  ])('says $name that it is alive [notes.stream.ping]', async ({ pingMs, pings }) => {
    const door = await startDoor(pingMs === undefined ? {} : { pingMs });
    const held = gate();
    door.engine.scripts.set('think', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const asked = performance.now();
    const lines = linesOf(await door.post('/api/claude/chat-stream', { message: 'think' }));
    for (let seen = 0; seen < pings; seen += 1) expect((await lines.next()).value).toBe('{"type":"ping"}');
    // How late a timer is depends on the machine, but it is never early.
    expect(performance.now() - asked).toBeGreaterThan((pingMs ?? 5_000) * pings * 0.9);
    held.open();
    const rest = await collect(lines);
    expect(rest.filter((line) => line !== '{"type":"ping"}')).toEqual([
      '{"type":"text","delta":"done"}',
      expect.stringMatching(sessionLine),
    ]);
    await door.stop();
  });
});

describe('a closing door', () => {
  it('ends open streams with an error and the session id, and lets the turn continue', async () => {
    const door = await startDoor();
    const held = gate();
    door.engine.scripts.set('work', async function* () {
      yield { type: 'text.delta', text: 'first ' };
      await held.opened;
      yield { type: 'text.delta', text: 'second' };
    });
    const response = await door.post('/api/claude/chat-stream', { message: 'work' });
    const id = response.headers.get('x-session-id') ?? '';
    const lines = linesOf(response);
    await lines.next();
    const waiting = door.post('/api/claude/chat', { message: 'waits', session_id: id });
    await until(async () => (await door.gateway.state('sebastian', id)).queue.length === 1);

    await door.door.close();
    expect(await collect(lines)).toEqual([
      '{"type":"error","message":"The server is stopping. When it is back, the history shows how much of the answer arrived."}',
      `{"type":"session","session_id":"${id}"}`,
    ]);
    expect((await waiting).status).toBe(503);

    held.open();
    await until(async () => (await door.gateway.turns('sebastian', id))[0]?.status === 'completed');
    await door.stop();
  });
});

describe('a client that stops reading', () => {
  it('is disconnected, and the turn still completes', async () => {
    const door = await startDoor({ limits: { stalledMs: 200 } });
    const chunk = 'x'.repeat(10_000);
    door.engine.scripts.set('flood', async function* () {
      for (let sent = 0; sent < 2_000; sent += 1) yield { type: 'text.delta', text: chunk };
    });
    const { hostname, port } = new URL(door.url);
    const body = JSON.stringify({ message: 'flood' });
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/claude/chat-stream HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\nX-Notes-Person: sebastian\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.on('error', () => {});
    await until(() => door.engine.prompts.length === 1);
    await until(async () => (await openStreams(door)) === 0);

    const [session] = (await door.gateway.listSessions('sebastian', { limit: 1 })).sessions;
    const turns = () => door.gateway.turns('sebastian', session?.id ?? '');
    await until(async () => (await turns())[0]?.status === 'completed');
    // All of it was sent; only so much of it is stored.
    expect((await turns())[0]?.text).toHaveLength(1024 * 1024);
    socket.destroy();
    await door.stop();
  });
});

async function openStreams(door: DoorHarness): Promise<number> {
  const text = await (await door.fetch('/metrics')).text();
  return Number(/^parley_open_streams\{wire="ndjson"\} (\d+)$/m.exec(text)?.[1]);
}
