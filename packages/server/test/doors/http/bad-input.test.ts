// Bad input gets a 4xx with an explanation and changes nothing.
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DoorHarness, key, rawRequest, startDoor } from './door-harness.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor();
});
afterAll(() => door.stop());

const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  door.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

const bodies: readonly (readonly [name: string, body: string, status: number, sentence: string])[] = [
  ['no message', '{}', 400, '`message` is missing.'],
  ['an empty message', '{"message":""}', 400, '`message` is empty.'],
  ['a message of white space', '{"message":" \\n\\t "}', 400, '`message` is empty.'],
  [
    'an over-long message',
    JSON.stringify({ message: 'x'.repeat(1_001) }),
    413,
    '`message` is longer than 1000 characters. Send it in parts.',
  ],
  ['a number as message', '{"message":1}', 400, '`message` must be a string.'],
  ['null as message', '{"message":null}', 400, '`message` must be a string.'],
  ['a list as message', '{"message":["a"]}', 400, '`message` must be a string.'],
  ['a number as session', '{"message":"a","session_id":7}', 400, '`session_id` must be a string.'],
  ['an object as session', '{"message":"a","session_id":{"$ne":1}}', 400, '`session_id` must be a string.'],
  [
    'a giant session id',
    JSON.stringify({ message: 'a', session_id: 'x'.repeat(201) }),
    400,
    '`session_id` is too long.',
  ],
  ['a number as person', '{"message":"a","person":1}', 400, '`person` must be a string.'],
  ['a list', '[]', 400, 'The body must be a JSON object with message, session_id, person.'],
  ['a string', '"message"', 400, 'The body must be a JSON object with message, session_id, person.'],
  ['null', 'null', 400, 'The body must be a JSON object with message, session_id, person.'],
  ['broken JSON', '{"message":', 400, 'The body is not valid JSON.'],
  ['no JSON at all', 'message=a', 400, 'The body is not valid JSON.'],
  ['an empty body', '', 400, 'The body is empty; send JSON.'],
  ['a __proto__ field', '{"message":"a","__proto__":{"person":"petra"}}', 400, 'The body is not valid JSON.'],
  [
    'a constructor.prototype field',
    '{"message":"a","constructor":{"prototype":{"x":1}}}',
    400,
    'The body is not valid JSON.',
  ],
  [
    'a body over the cap',
    JSON.stringify({ message: 'x'.repeat(100_000) }),
    413,
    'The body is larger than this server accepts.',
  ],
];

describe.each(['/api/claude/chat', '/api/claude/chat-stream'])('POST %s', (path) => {
  it.each(bodies)('refuses %s [notes.door.bad-input]', async (_, body, status, message) => {
    const response = await send(path, body);
    expect(await response.json()).toEqual({
      success: false,
      message,
      response: '',
      history: [],
      detail: message,
    });
    expect(response.status).toBe(status);
    expect(door.engine.prompts).toEqual([]);
  });

  it.each([
    ['text/plain', '{"message":"a"}'],
    ['application/x-www-form-urlencoded', 'message=a'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('refuses a body sent as %s [notes.door.bad-input]', async (type, body) => {
    const response = await send(path, body, { 'content-type': type });
    expect(await response.json()).toEqual({
      success: false,
      message: 'Send the body as JSON, with the header Content-Type: application/json.',
      response: '',
      history: [],
      detail: 'Send the body as JSON, with the header Content-Type: application/json.',
    });
    expect(response.status).toBe(415);
    expect(door.engine.prompts).toEqual([]);
  });

  it.each(['', 'two words', 'x'.repeat(201)])('refuses the Idempotency-Key %j', async (idempotencyKey) => {
    const response = await send(path, '{"message":"a"}', { 'idempotency-key': idempotencyKey });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      success: false,
      message: 'The Idempotency-Key must be 1 to 200 visible characters.',
      response: '',
      history: [],
      detail: 'The Idempotency-Key must be 1 to 200 visible characters.',
    });
    expect(door.engine.prompts).toEqual([]);
  });
});

describe('POST /api/claude/clear', () => {
  it.each([
    ['no session', '{}', 400, '`session_id` is missing.'],
    ['null as session', '{"session_id":null}', 400, '`session_id` must be a string.'],
    ['broken JSON', '{', 400, 'The body is not valid JSON.'],
  ])('refuses %s [notes.door.bad-input]', async (_, body, status, message) => {
    const response = await send('/api/claude/clear', body);
    expect(await response.json()).toEqual({ success: false, message, history: [], detail: message });
    expect(response.status).toBe(status);
  });
});

describe('GET /api/claude/history', () => {
  it.each([
    ['no session', '', '`session_id` is missing.'],
    ['two sessions', '?session_id=a&session_id=b', '`session_id` must be a string.'],
    ['two people', '?session_id=a&person=petra&person=sebastian', '`person` must be a string.'],
  ])('refuses %s [notes.door.bad-input]', async (_, query, message) => {
    const response = await door.fetch(`/api/claude/history${query}`);
    expect(await response.json()).toEqual({ success: false, message, history: [], detail: message });
    expect(response.status).toBe(400);
  });

  it('ignores unknown query fields', async () => {
    expect((await door.fetch('/api/claude/history?session_id=a&_=1&utm_source=b')).status).toBe(200);
  });
});

describe('a body of 10 MB', () => {
  const size = 10 * 1024 * 1024;
  const headers = { 'x-api-key': key, 'x-notes-person': 'sebastian', 'content-type': 'application/json' };

  it('is refused by its Content-Length before it is sent [notes.door.body-cap]', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const upload = request(`${door.url}/api/claude/chat`, {
        method: 'POST',
        headers: { ...headers, 'content-length': size },
      });
      upload.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
        upload.destroy();
      });
      upload.on('error', reject);
      upload.flushHeaders();
    });
    expect(answer).toBe(413);
  });

  it('is refused while it arrives if it has no Content-Length [notes.door.body-cap]', async () => {
    const { status, sent } = await new Promise<{ status: number | undefined; sent: number }>(
      (resolve, reject) => {
        const upload = request(`${door.url}/api/claude/chat`, { method: 'POST', headers });
        const chunk = Buffer.alloc(64 * 1024, 'x');
        let sent = 0;
        const more = setInterval(() => {
          upload.write(chunk);
          sent += chunk.length;
        }, 1);
        upload.on('response', (response) => {
          clearInterval(more);
          response.resume();
          resolve({ status: response.statusCode, sent });
          upload.destroy();
        });
        upload.on('error', reject);
      },
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(size);
    expect(door.engine.prompts).toEqual([]);
  });

  it('still gets an answer if the client sends all of it first, every time [notes.door.body-cap]', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(size) });
    for (let time = 0; time < 8; time += 1) {
      const response = await send('/api/claude/chat', body);
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({
        success: false,
        message: 'The body is larger than this server accepts.',
        response: '',
        history: [],
        detail: 'The body is larger than this server accepts.',
      });
    }
  });

  it('is cut off if it never ends after the answer', async () => {
    const { port } = new URL(door.url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) continue;
    };
    socket.resume().on('drain', more);
    socket.write(
      `POST /api/claude/chat HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\nx-notes-person: petra\r\n` +
        'content-type: application/json\r\ncontent-length: 1099511627776\r\n\r\n',
    );
    more();
    await new Promise((closed) => socket.on('close', closed));
    expect(door.engine.prompts).toEqual([]);
  });
});

describe('a malformed address', () => {
  it.each([
    ['/%zz', 404],
    ['/api/claude/%c0%ae', 404],
    ['/api/claude/history?session_id=%zz', 200],
    [`/api/sessions/${'x'.repeat(101)}`, 404],
    [`/api/sessions/${'x'.repeat(5_000)}`, 400],
  ])('follows the policy like any other, and leads nowhere: %s', async (path, status) => {
    const ask = (headers: Record<string, string>) => rawRequest(door.url, { path, headers });

    const response = await ask({ 'x-api-key': key, 'x-notes-person': 'petra' });
    expect(response.status).toBe(status);
    expect(response.text).not.toContain('FST_');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(await ask({})).toMatchObject({ status: 401 });
    expect(await ask({ 'x-api-key': key, host: 'evil.example' })).toMatchObject({ status: 403 });
  });
});

describe('a malformed request', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400, 'invalid'],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too_large'],
    [
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid',
    ],
  ])('gets an answer in the usual shape, and the connection is closed', async (text, status, code) => {
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1');
    socket.write(text);
    const chunks = await socket.setEncoding('utf8').toArray();
    const [head = '', body = ''] = chunks.join('').split('\r\n\r\n');

    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('nosniff');
    expect(JSON.parse(body)).toMatchObject({ error: { code, message: expect.stringMatching(/\.$/) } });
  });
});

describe('too many waiting requests', () => {
  it('are refused before anything happens', async () => {
    const small = await startDoor({ limits: { openStreams: 1 } });
    small.engine.scripts.set('hold', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const first = await small.post('/api/claude/chat-stream', { message: 'hold' });
    const second = await small.post('/api/claude/chat', { message: 'Hello' });
    expect(second.status).toBe(429);
    expect(await second.json()).toMatchObject({ success: false, response: '', history: [] });
    expect(small.engine.prompts).toEqual(['hold']);
    await first.body?.cancel();
    await small.stop();
  });

  it('leave room for other people if one person reaches the limit', async () => {
    const small = await startDoor({ limits: { openStreams: 4 } });
    const listen = (person: string) =>
      small.fetch(`/api/chat/${sessions.get(person)}/events`, { headers: { 'x-notes-person': person } });
    const sessions = new Map<string, string>();
    small.engine.scripts.set('hold', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    for (const person of ['sebastian', 'petra']) {
      const headers = { 'x-notes-person': person };
      const held = await small.post('/api/claude/chat-stream', { message: 'hold' }, headers);
      sessions.set(person, held.headers.get('x-session-id') ?? '');
    }

    expect((await listen('sebastian')).status).toBe(200);
    const refused = await listen('sebastian');
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('You have too many pages and requests open at once.');
    expect((await listen('petra')).status).toBe(200);
    await small.stop();
  });
});
