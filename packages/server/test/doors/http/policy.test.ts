// The policy that runs before every handler: host, origin, rate, credentials, person.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitText } from '../../../src/content/waiting-time.ts';
import { type DoorHarness, key, petrasKey, rawRequest, startDoor } from './door-harness.ts';

const chat = '/api/claude/chat';
const unauthenticated = {
  error: { code: 'unauthenticated', message: 'Log in, or send a valid API key in the header X-API-Key.' },
  detail: 'Log in, or send a valid API key in the header X-API-Key.',
};

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor();
});
afterAll(() => door.stop());

const post = (headers: Record<string, string>, body: object = { message: 'Hello' }, path = chat) =>
  fetch(door.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('credentials', () => {
  it('are required on every route except these [notes.door.credentials] [kitchen.auth.none]', async () => {
    const open = [
      'GET /healthz',
      'GET /readyz',
      'GET /login',
      'POST /login',
      'GET /api/linkedin/callback',
      'POST /api/invitations/find',
      'POST /api/invitations/accept',
      'POST /api/invitations/passkey',
      'GET /invite',
      'GET /login/script.js',
      'POST /login/passkey/options',
      'POST /login/passkey',
      // These bring a secret of their own.
      'POST /api/push/decisions',
      'GET /shared/:secret',
    ].flatMap((route) => [route, ...(route.startsWith('GET') ? [route.replace('GET', 'HEAD')] : [])]);
    const names = door.door.routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual(expect.arrayContaining(open));
    const closed = door.door.routes.filter(({ method, path }) => !open.includes(`${method} ${path}`));
    expect(closed.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /api/claude/chat',
        'POST /api/claude/chat-stream',
        'POST /api/claude/clear',
        'GET /api/claude/history',
        'GET /api/docs',
        'GET /api/docs/json',
        'GET /metrics',
        'GET /',
        'POST /logout',
        'GET /api/me',
        'POST /api/me',
        'POST /api/chat',
        'GET /api/chat/:conversation_id/events',
        'POST /api/chat/:conversation_id/stop',
        'GET /api/sessions',
        'GET /api/sessions/:id/events',
        'GET /api/recipes/:id',
        'GET /api/mcp',
        'GET /api/channels',
      ]),
    );
    for (const { method, path } of closed) {
      const response = await fetch(door.url + path.replaceAll(/:\w+|\*/g, 'x'), { method });
      expect({ route: `${method} ${path}`, status: response.status }).toEqual({
        route: `${method} ${path}`,
        status: 401,
      });
      expect(await response.text()).toBe(method === 'HEAD' ? '' : JSON.stringify(unauthenticated));
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(door.engine.prompts).toEqual([]);
  });

  it.each(['/nothing', '/api/claude/nothing', '/api/claude/chat/', '/%2e%2e/etc/passwd'])(
    'are required even where there is no route: %s',
    async (path) => {
      const stranger = await rawRequest(door.url, { path });
      expect(stranger.status).toBe(401);
      expect(JSON.parse(stranger.text)).toEqual(unauthenticated);
      const known = await rawRequest(door.url, { path, headers: { 'x-api-key': key } });
      expect(known.status).toBe(404);
      expect(JSON.parse(known.text)).toEqual({
        error: { code: 'not_found', message: 'There is nothing at this address.' },
      });
    },
  );

  it('lead to a page that says so where there is nothing', async () => {
    const headers = {
      'x-api-key': key,
      accept: 'text/html',
      'accept-language': 'de',
      'sec-fetch-mode': 'navigate',
    };
    const { status, headers: answered, text } = await rawRequest(door.url, { path: '/nothing', headers });
    expect({ status, type: answered['content-type'] }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    });
    expect(text).toContain('Unter dieser Adresse gibt es nichts');
  });

  it.each([
    ['a wrong key', { 'x-api-key': 'wrong' }],
    ['an empty key', { 'x-api-key': '' }],
    ['part of a key', { 'x-api-key': key.slice(0, -1) }],
    ['a key and more', { 'x-api-key': `${key}x` }],
    ['another scheme', { authorization: `Basic ${key}` }],
    ['a bare authorization', { authorization: key }],
    ['the hash of a key', { 'x-api-key': '55d3b1dc4cd0e8b8a0f7d3a3e9c1d7b5'.repeat(2) }],
  ])('are refused as %s', async (_, headers) => {
    const response = await post({ ...headers, 'x-notes-person': 'sebastian' });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(unauthenticated);
  });

  it.each([
    ['X-API-Key', { 'x-api-key': key }],
    ['a bearer token', { authorization: `Bearer ${key}` }],
    ['a bearer token in lower case', { authorization: `bearer ${key}` }],
  ])('are taken from %s', async (_, headers) => {
    expect((await post({ ...headers, 'x-notes-person': 'sebastian' })).status).toBe(200);
  });

  it.each(['api_key', 'x-api-key', 'key', 'token', 'authorization'])(
    'are not taken from the query field %s',
    async (field) => {
      const response = await fetch(`${door.url}/metrics?${field}=${key}`);
      expect(response.status).toBe(401);
    },
  );

  it('are not needed for the health check [notes.door.health]', async () => {
    const response = await fetch(`${door.url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });
});

describe('a wrong method', () => {
  const send = (method: string, path: string, headers: Record<string, string> = { 'x-api-key': key }) =>
    rawRequest(door.url, { method, path, headers });

  it.each([
    ['DELETE', chat, 'POST'],
    ['GET', '/api/claude/chat-stream?person=petra', 'POST'],
    ['HEAD', '/api/claude/chat-stream', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PUT', '/api/sessions/8a3f/events', 'GET'],
    ['PUT', '/login', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/me', 'GET, HEAD, POST'],
  ])('is refused with those that are right: %s %s', async (method, path, allowed) => {
    const { status, headers, text } = await send(method, path);
    expect(status).toBe(405);
    expect(headers['allow']).toBe(allowed);
    const error = { code: 'invalid', message: `This address accepts ${allowed}, not ${method}.` };
    expect(text).toBe(method === 'HEAD' ? '' : JSON.stringify({ error }));
  });

  it('reveals nothing to a stranger', async () => {
    for (const [method, path] of [
      ['DELETE', chat],
      ['POST', '/healthz'],
      ['PUT', '/login'],
      ['DELETE', '/no/such/route'],
    ] as const) {
      const { status, headers, text } = await send(method, path, {});
      expect({ path, status, allow: headers['allow'] }).toEqual({ path, status: 401, allow: undefined });
      expect(JSON.parse(text)).toEqual(unauthenticated);
    }
  });

  it('includes HEAD on streams, so that it takes no slot', async () => {
    const session = await door.gateway.createSession('petra', { engine: 'messages-api', assistant: 'notes' });
    const streams = [`/api/sessions/${session.id}/events`, `/api/chat/${session.id}/events`];
    for (const path of streams) {
      const { status, headers } = await send('HEAD', `${path}?person=petra`);
      expect({ path, status, allow: headers['allow'] }).toEqual({ path, status: 405, allow: 'GET' });
    }
    const { text } = await send('GET', '/metrics');
    expect(text).toMatch(/^parley_open_streams\{.*sse.*\} 0$/m);
  });
});

describe('the person', () => {
  const asked = async (headers: Record<string, string>, body: object = {}, query = '') => {
    const response = await post(headers, { message: 'Who am I?', ...body }, chat + query);
    const id = response.headers.get('x-session-id');
    await response.text();
    if (id === null) return response.status;
    for (const person of ['sebastian', 'petra']) {
      const isTheirs = await door.gateway.getSession(person, id).catch(() => undefined);
      if (isTheirs) return person;
    }
    return undefined;
  };
  const all = { 'x-api-key': key };
  const petras = { 'x-api-key': petrasKey };

  it('comes from the header, then the body, then the query, then the key [notes.door.person]', async () => {
    expect(await asked({ ...all, 'x-notes-person': 'sebastian' }, { person: 'petra' })).toBe('sebastian');
    expect(await asked(all, { person: 'petra' }, '?person=sebastian')).toBe('petra');
    expect(await asked(all, {}, '?person=sebastian')).toBe('sebastian');
    expect(await asked(petras)).toBe('petra');
  });

  it('may be named in the query of a GET request', async () => {
    const response = await fetch(`${door.url}/api/claude/history?session_id=x&person=petra`, {
      headers: all,
    });
    expect(await response.json()).toEqual({ success: false, message: 'Session not found', history: [] });
  });

  it('is the only one configured if nobody is named [notes.door.person]', async () => {
    const alone = await startDoor({ people: ['petra'] });
    const response = await fetch(`${alone.url}${chat}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...all },
      body: JSON.stringify({ message: 'Hello' }),
    });
    expect(response.status).toBe(200);
    const id = response.headers.get('x-session-id') ?? '';
    expect((await alone.gateway.getSession('petra', id)).person).toBe('petra');
    await alone.stop();
  });

  it.each([
    ['nobody', {}, {}, 'Name a person in the header X-Notes-Person.'],
    ['an unknown one', { 'x-notes-person': 'mallory' }, {}, 'There is no such person here.'],
    ['an empty one', { 'x-notes-person': '' }, {}, 'There is no such person here.'],
    ['an unknown one in the body', {}, { person: 'mallory' }, 'There is no such person here.'],
    ['a name of every object', {}, { person: 'constructor' }, 'There is no such person here.'],
    ['two at once', { 'x-notes-person': 'petra, sebastian' }, {}, 'There is no such person here.'],
  ])(
    'is refused when it is %s, and nothing happens [notes.door.person]',
    async (_, headers, body, message) => {
      const before = door.engine.prompts.length;
      const response = await post({ ...all, ...headers }, { message: 'Hello', ...body });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        success: false,
        message,
        response: '',
        history: [],
        detail: message,
      });
      expect(door.engine.prompts.length).toBe(before);
    },
  );

  it('must be the one a key is bound to', async () => {
    const before = door.engine.prompts.length;
    expect(await asked({ ...petras, 'x-notes-person': 'sebastian' })).toBe(403);
    expect(await asked(petras, { person: 'sebastian' })).toBe(403);
    expect(await asked({ ...petras, 'x-notes-person': 'mallory' })).toBe(403);
    expect(door.engine.prompts.length).toBe(before);
    expect(await asked({ ...petras, 'x-notes-person': 'petra' })).toBe('petra');
  });
});

describe('the host name', () => {
  const get = (host: string, path = '/healthz', headers: Record<string, string> = {}) =>
    rawRequest(door.url, { path, headers: { host, 'x-api-key': key, ...headers } });

  it.each([
    'localhost',
    'localhost:4710',
    '127.0.0.1',
    '[::1]:80',
    'LOCALHOST',
    'parley.example',
    'parley.example:443',
  ])('may be %s', async (host) => {
    expect((await get(host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:4710',
    'parley.example.evil',
    '127.0.0.1.nip.io',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    '0.0.0.0',
  ])('may not be %j, on any address [notes.door.host-check]', async (host) => {
    for (const path of ['/healthz', '/metrics', '/no/such/route']) {
      const response = await get(host, path);
      expect(response.status).toBe(403);
      const message =
        'Parley does not accept requests for this host name. If it should, add it to publicHosts (PARLEY_PUBLIC_HOSTS).';
      expect(JSON.parse(response.text)).toEqual({ error: { code: 'forbidden', message }, detail: message });
    }
  });

  it('ignores forwarding headers, which a rebinding page could set', async () => {
    const behind = await startDoor({ trustedProxies: ['127.0.0.1'] });
    const response = await rawRequest(behind.url, {
      path: '/healthz',
      headers: { host: 'evil.example', 'x-forwarded-host': 'localhost' },
    });
    expect(response.status).toBe(403);
    await behind.stop();
  });
});

describe('the origin', () => {
  const send = (origin: string, host = '127.0.0.1:4710', method = 'POST') =>
    rawRequest(
      door.url,
      {
        path: method === 'GET' ? '/metrics' : chat,
        method,
        headers: {
          host,
          origin,
          'x-api-key': key,
          'x-notes-person': 'sebastian',
          ...(method === 'POST' && { 'content-type': 'application/json' }),
        },
      },
      method === 'POST' ? '{"message":"Hello"}' : undefined,
    );

  it.each([
    ['http://127.0.0.1:4710', '127.0.0.1:4710'],
    ['http://localhost:4710', 'localhost:4710'],
    ['https://parley.example', 'parley.example'],
    ['https://parley.example', 'parley.example:443'],
  ])('may be our own: %s at %s', async (origin, host) => {
    expect((await send(origin, host)).status).toBe(200);
  });

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:3000', 'http://localhost:4710', 'garbage', ''])(
    'may not be %j on a request that changes something, even with a valid key [notes.door.host-check]',
    async (origin) => {
      const before = door.engine.prompts.length;
      const response = await send(origin);
      expect(response.status).toBe(403);
      const message = 'This request comes from a page on another site, which is not allowed.';
      expect(JSON.parse(response.text)).toEqual({ error: { code: 'forbidden', message }, detail: message });
      expect(door.engine.prompts.length).toBe(before);
    },
  );

  it('may not read responses from another site', async () => {
    const read = await send('https://evil.example', undefined, 'GET');
    expect(read.status).toBe(200);
    expect(Object.keys(read.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const preflight = await send('https://evil.example', undefined, 'OPTIONS');
    expect(preflight.status).toBe(405);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('security headers', () => {
  it.each(['/healthz', '/metrics', '/api/docs', '/no/such/route', '/api/claude/history'])(
    'are on the answer of %s [notes.door.security-headers]',
    async (path) => {
      const { headers } = await door.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    },
  );
});

describe('rate limits', () => {
  it('answer 429 with the waiting time, even for strangers and unknown routes [notes.door.rate-limit]', async () => {
    const limited = await startDoor({ limits: { requestsPerMinute: { perAddress: 3, overall: 100 } } });
    for (const path of ['/healthz', '/no/such/route', '/metrics'])
      await (await fetch(limited.url + path)).text();
    const response = await fetch(`${limited.url}/healthz`);
    expect(response.status).toBe(429);
    const wait = Number(response.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const message = `Too many requests. Try again ${waitText(wait)}.`;
    expect(await response.json()).toEqual({ error: { code: 'rate_limited', message }, detail: message });
    await limited.stop();
  });

  it('show a page to a person', async () => {
    const limited = await startDoor({ limits: { requestsPerMinute: { perAddress: 1, overall: 100 } } });
    await (await fetch(`${limited.url}/healthz`)).text();
    const open = (language: string) =>
      fetch(limited.url, { headers: { accept: 'text/html', 'accept-language': language } });
    const response = await open('en');
    expect(response.status).toBe(429);
    expect(await response.text()).toMatch(
      /<h1>Too many requests<\/h1>\n<p>.* Reload this page in \d+ seconds\.<\/p>/,
    );
    expect(await (await open('de')).text()).toMatch(/Lade diese Seite in \d+ Sekunden neu\./);
    await limited.stop();
  });

  it('count each address separately, IPv6 by its /64, and all of them together', async () => {
    const limited = await startDoor({
      trustedProxies: ['127.0.0.1'],
      limits: { requestsPerMinute: { perAddress: 2, overall: 7 } },
    });
    const from = async (address: string) => {
      const response = await fetch(`${limited.url}/healthz`, { headers: { 'x-forwarded-for': address } });
      await response.text();
      return response.status;
    };
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
      200, 200, 429,
    ]);
    expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3')]).toEqual([
      200, 200, 429,
    ]);
    expect(await from('2001:db8:0:1::1')).toBe(200);
    // Five were admitted; refused ones don't count towards the overall limit.
    expect([await from('192.0.2.2'), await from('192.0.2.3'), await from('192.0.2.4')]).toEqual([
      200, 200, 429,
    ]);
    await limited.stop();
  });

  it('ignore a forwarded address from a stranger', async () => {
    const limited = await startDoor({ limits: { requestsPerMinute: { perAddress: 1, overall: 100 } } });
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const response = await fetch(`${limited.url}/healthz`, { headers: { 'x-forwarded-for': address } });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([200, 429]);
    await limited.stop();
  });
});
