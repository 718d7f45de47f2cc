// Upgrades follow the same policy as every other request, and sockets end with the login that opened them.
import { once } from 'node:events';
import { connect } from 'node:net';
import { ParleyError } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { familyPassword, key, until } from '../http/door-harness.ts';
import { type CodeDoor, refusal, startCodeDoor } from './harness.ts';
import { LiveClient } from './live-client.ts';
import { PageClient } from './page-client.ts';

let door: CodeDoor;
let id: string;
beforeAll(async () => {
  door = await startCodeDoor();
  id = await door.newSession();
});
afterAll(() => door.stop());

const all = { 'x-api-key': key, 'x-notes-person': 'sebastian' };
const path = (session = id) => `/api/claude/sessions/${session}/ws`;
const code = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  code: (body as { error: { code: string } }).error.code,
});

describe('an upgrade', () => {
  it('without credentials is refused at every address below /api, known or not', async () => {
    const open = '/api/linkedin/callback';
    const paths = door.door.routes
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && path !== open)
      .map((route) => route.path);
    expect(paths).toContain('/api/claude/sessions/:id/ws');
    expect(paths).toContain('/api/claude/sessions/:id/terminal');
    for (const address of [...paths, '/api/no/such/route', '/metrics']) {
      const refused = code(await refusal(door.url + address.replaceAll(/:\w+/g, id)));
      expect({ address, ...refused }).toEqual({ address, status: 401, code: 'unauthenticated' });
    }
  });

  it.each([
    ['a wrong key', { 'x-api-key': 'wrong' }, 401],
    ['no person', { 'x-api-key': key }, 400],
    ['an unknown person', { ...all, 'x-notes-person': 'mallory' }, 400],
    ['another host name', { ...all, host: 'evil.example' }, 403],
    ['a page of another site', { ...all, origin: 'https://evil.example' }, 403],
    ['a sandboxed page', { ...all, origin: 'null' }, 403],
  ])('with %s is refused', async (_, headers, status) => {
    expect((await refusal(door.url + path(), headers)).status).toBe(status);
  });

  it('from our own page is accepted', async () => {
    const page = new PageClient(door.url + path(), { ...all, origin: door.url });
    expect((await page.greeted()).greeting).toHaveProperty('after');
    page.drop();
  });

  it('with the key in the query is refused', async () => {
    const response = await refusal(`${door.url}${path()}?x-api-key=${key}&api_key=${key}`);
    expect(response.status).toBe(401);
  });

  it.each([
    ['another person', () => path(), 'petra'],
    ['nobody', () => path('11111111-1111-4111-8111-111111111111'), 'sebastian'],
    ['no session at all', () => path('..%2f..%2fetc'), 'sebastian'],
  ])('to a session of %s is not found', async (_, address, person) => {
    const response = await refusal(door.url + address(), { ...all, 'x-notes-person': person });
    expect(code(response)).toEqual({ status: 404, code: 'not_found' });
  });

  it('is required if somebody sends a plain GET', async () => {
    const response = await door.fetch(path());
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        code: 'invalid',
        message: 'This address speaks WebSocket. Use a WebSocket client.',
      },
    });
  });

  it.each([
    ['an unknown protocol', 'GET', { upgrade: 'h2c' }],
    ['another method', 'POST', { upgrade: 'websocket', 'content-length': '0' }],
    ['half a handshake', 'GET', { upgrade: 'websocket', 'sec-websocket-key': 'short' }],
  ])('with %s gets an answer, and the server keeps running', async (_, method, headers) => {
    const answer = await raw(method, path(), { ...all, connection: 'upgrade', ...headers });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await door.fetch('/healthz')).status).toBe(200);
  });

  it.each([
    ['no credentials', () => path(), {}],
    ['a page of another site', () => path(), { ...all, origin: 'https://evil.example' }],
    ['an unknown address', () => '/api/no/such/route', all],
    ['an unknown session', () => path('11111111-1111-4111-8111-111111111111'), all],
    ['half a handshake', () => path(), { ...all, 'sec-websocket-key': 'short' }],
  ])(
    'refused because of %s leaves no socket open [code.live.refused-upgrade]',
    async (_, address, headers) => {
      const sockets = () =>
        process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
      const { hostname, port } = new URL(door.url);
      const before = sockets();
      const clients = await Promise.all(
        Array.from({ length: 200 }, async () => {
          // Keeps its own half open, as an attacker would.
          const client = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
          const upgrade = {
            host: `${hostname}:${port}`,
            connection: 'upgrade',
            upgrade: 'websocket',
            ...headers,
          };
          const lines = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}`);
          client.write([`GET ${address()} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
          client.resume();
          await once(client, 'end');
          return client;
        }),
      );

      await until(() => sockets() <= before + clients.length);
      for (const client of clients) client.destroy();
      await until(() => sockets() <= before);
    },
  );
});

describe('a socket', () => {
  it('is closed when its message is too large', async () => {
    const page = await door.open(id);
    page.socket.send(Buffer.alloc(33 * 1024 * 1024));
    expect((await page.untilClosed()).code).toBe(1009);
  });

  it('is closed when its login ends, and others stay open', async () => {
    const cookie = await logIn();
    const mine = new PageClient(door.url + path(), { cookie, 'x-notes-person': 'sebastian' });
    const other = new PageClient(door.url + path(), {
      cookie: await logIn(),
      'x-notes-person': 'sebastian',
    });
    await Promise.all([mine.greeted(), other.greeted()]);
    await logOut(cookie);
    expect(await mine.untilClosed()).toEqual({
      code: 4401,
      reason: 'You were logged out. Log in again to continue.',
    });
    expect(other.closed).toBeUndefined();
    other.drop();
  });

  it('of a live page is closed when its login ends, and others stay open [code.live.policy]', async () => {
    const [cookie, otherCookie] = [await logIn(), await logIn()];
    const [mine, other] = [cookie, otherCookie].map(
      (login) => new LiveClient(`${door.url}/api/live`, { cookie: login, 'x-notes-person': 'sebastian' }),
    ) as [LiveClient, LiveClient];
    await Promise.all([mine.opened(), other.opened()]);
    await logOut(cookie);
    expect(await mine.closed()).toEqual({
      code: 4401,
      reason: 'You were logged out. Log in again to continue.',
    });
    other.send({ type: 'subscribe', session: id });
    await other.subscribed(id);
    other.drop();
  });

  it('is closed when its session is deleted', async () => {
    const doomed = await door.newSession();
    const page = await door.open(doomed);
    expect((await door.fetch(`/api/claude/sessions/${doomed}`, { method: 'DELETE' })).status).toBe(204);
    expect(await page.untilClosed()).toEqual({ code: 1000, reason: 'The session was closed.' });
  });

  it('is closed with a shortened reason when it cannot be served', async () => {
    const own = await startCodeDoor();
    const session = await own.newSession();
    own.sessions.todos = async () => {
      throw new ParleyError('unavailable', `The folder cannot be read. ${'Try again. '.repeat(20)}`);
    };
    const page = new PageClient(`${own.url}${path(session)}`, all);
    const { code: closeCode, reason } = await page.untilClosed();
    expect({ closeCode, reason }).toEqual({
      closeCode: 1011,
      reason: 'The folder cannot be read. Try again. Tr…',
    });
    await own.stop();
  });

  it('is closed when it does not answer pings', async () => {
    const strict = await startCodeDoor({
      writer: { bufferedBytes: 1_000_000, stalledMs: 30_000, pingMs: 20 },
    });
    const page = await strict.open(await strict.newSession());
    await until(() => page.closed === undefined);
    // A working client answers automatically; this one stops reading.
    page.socket.pause();
    const metric = async () =>
      /parley_open_streams\{wire="websocket"\} (\d+)/.exec(await metrics(strict))?.[1];
    await until(async () => (await metric()) === '0');
    await strict.stop();
  });

  it('is closed with a reason when the server stops', async () => {
    const stopping = await startCodeDoor();
    const page = await stopping.open(await stopping.newSession());
    await stopping.door.close();
    expect((await page.untilClosed()).code).toBe(1001);
    await stopping.stop();
  });
});

async function metrics(of: CodeDoor): Promise<string> {
  return (await of.fetch('/metrics')).text();
}

async function logIn(): Promise<string> {
  const response = await fetch(`${door.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: familyPassword }),
    redirect: 'manual',
  });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  expect(cookie).toMatch(/^rv_session=/);
  return cookie;
}

async function logOut(cookie: string): Promise<void> {
  const left = await fetch(`${door.url}/logout`, { method: 'POST', headers: { cookie }, redirect: 'manual' });
  expect(left.status).toBeLessThan(400);
}

/** The server's answer to a request that no client would send, starting with the first line. */
function raw(method: string, address: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(door.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write([`${method} ${address} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('end', () => {
      socket.end();
      resolve(text);
    });
    socket.on('error', reject);
  });
}
