// Logging in and out: password, cookie, person, page, and the end of a login.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { Right } from '@parley/protocol';
import { freePort } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { openConnection } from '../../../src/stores/sqlite/connection.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import {
  collect,
  type DoorHarness,
  familyPassword,
  gate,
  type HarnessOptions,
  key,
  rawRequest,
  startDoor,
  until,
} from './door-harness.ts';
import { eventsOf } from './sse.ts';

const cookiePattern = /^rv_session=([\w-]{43}); Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/;
const markPattern = /^rv_browser=([\w-]{43}); Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict$/;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor();
});
afterAll(() => door.stop());

const login = (password: string, at = door, headers: Record<string, string> = {}) =>
  fetch(`${at.url}/login`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ password }),
  });
const sendForm = (fields: Record<string, string>, at = door, headers: Record<string, string> = {}) =>
  fetch(`${at.url}/login`, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
/** All cookies that the response sets, as the browser sends them back. */
const jarOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');
const loggedIn = async (at = door) => {
  const response = await login(familyPassword, at);
  await response.text();
  return cookieOf(response);
};
const get = (path: string, headers: Record<string, string>, at = door) => fetch(at.url + path, { headers });
const post = (path: string, body: object, headers: Record<string, string>, at = door) =>
  fetch(at.url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
const portOf = ({ url }: DoorHarness) => Number(new URL(url).port);
const statusOf = async (response: Promise<Response>) => {
  const { status, body } = await response;
  await body?.cancel();
  return status;
};

describe('POST /login', () => {
  it('sets a cookie for the right password and returns who is asking [kitchen.auth.login]', async () => {
    const response = await login(familyPassword);
    expect(response.status).toBe(200);
    const marks = [expect.stringMatching(cookiePattern), expect.stringMatching(markPattern)];
    expect(response.headers.getSetCookie()).toEqual(marks);
    expect(await response.json()).toEqual({
      person: null,
      people: ['sebastian', 'petra'],
      demo: true,
      version: '1.2.3',
      terminal: false,
      role: null,
      rights: [],
      account: false,
      displayName: null,
      firstSteps: false,
    });
  });

  it('gives each login its own cookie', async () => {
    expect(await loggedIn()).not.toBe(await loggedIn());
  });

  it.each([
    ['a wrong one', 'wrong'],
    ['part of it', familyPassword.slice(0, -1)],
    ['it and more', `${familyPassword}x`],
    ['it in capitals', familyPassword.toUpperCase()],
  ])('answers 401 without a cookie for %s [kitchen.auth.wrong-password]', async (_, password) => {
    const strict = await startDoor();
    const response = await login(password, strict);
    expect(response.status).toBe(401);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({
      error: { code: 'unauthenticated', message: 'That is not the family password.' },
    });
    await strict.stop();
  });

  it('accepts letters however the keyboard composes them', async () => {
    const accents = await startDoor({ password: { password: new Secret('Caf\u00e9') } });
    expect((await login('Cafe\u0301', accents)).status).toBe(200);
    await accents.stop();
  });

  it.each([
    ['nothing', {}],
    ['a number', { password: 7 }],
    ['an empty one', { password: '' }],
    ['an endless one', { password: 'x'.repeat(1_025) }],
  ])('answers 400 for %s', async (_, body) => {
    const response = await post('/login', body, {});
    expect(response.status).toBe(400);
    expect(response.headers.get('set-cookie')).toBeNull();
    await response.text();
  });

  it('uses secure cookies that other hosts cannot set, behind a trusted proxy that speaks https [kitchen.auth.secure-cookie]', async () => {
    const behind = await startDoor({ trustedProxies: ['127.0.0.1'] });
    const secure = await login(familyPassword, behind, https);
    const attributes = 'HttpOnly; SameSite=Strict; Secure';
    const [session = '', mark = ''] = secure.headers.getSetCookie();
    expect(session.replace(/=[\w-]{43};/, '=…;')).toBe(
      `__Host-rv_session=…; Path=/; Max-Age=2592000; ${attributes}`,
    );
    expect(mark.replace(/=[\w-]{43};/, '=…;')).toBe(
      `__Host-rv_browser=…; Path=/; Max-Age=34560000; ${attributes}`,
    );
    expect(await statusOf(get('/api/me', { ...https, cookie: jarOf(secure) }, behind))).toBe(200);
    const strange = await login(familyPassword, door, https);
    expect(cookieOf(strange)).toMatch(/^rv_session=/);
    await behind.stop();
  });

  it('is refused from a page on another site', async () => {
    const response = await login(familyPassword, door, { origin: 'https://evil.example' });
    expect(response.status).toBe(403);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('accepts a password that is configured as a hash', async () => {
    const hashed = await startDoor({ password: { argon2: await hash('hashed password') } });
    expect((await login('hashed password', hashed)).status).toBe(200);
    expect((await login(familyPassword, hashed)).status).toBe(401);
    await hashed.stop();
  });
});

describe('the cookie', () => {
  it('grants the same access as a key [kitchen.auth.cookie]', async () => {
    const headers = { cookie: await loggedIn(), 'x-notes-person': 'petra' };
    const response = await post('/api/chat', { message: 'Hello' }, headers);
    expect(response.status).toBe(200);
    expect((await collect(eventsOf(response))).map(({ event }) => event)).toEqual(['chunk', 'done']);
  });

  it('is not needed with a key [kitchen.auth.api-key]', async () => {
    const headers = { 'x-api-key': key, 'x-notes-person': 'petra' };
    expect(await statusOf(post('/api/chat', { message: 'Hello' }, headers))).toBe(200);
  });

  it.each([
    ['made up', `rv_session=${'A'.repeat(43)}`],
    ['empty', 'rv_session='],
    ['too short', 'rv_session=abc'],
    ['of another name', `session=${'A'.repeat(43)}`],
  ])('opens nothing when it is %s', async (_, cookie) => {
    expect(await statusOf(get('/api/me', { cookie }))).toBe(401);
  });

  it('is found among others', async () => {
    expect(await statusOf(get('/api/me', { cookie: `a=b; ${await loggedIn()}; c=d` }))).toBe(200);
  });

  it('does not let a page on another site act', async () => {
    const headers = { cookie: await loggedIn(), origin: 'https://evil.example' };
    expect(await statusOf(post('/api/me', { person: 'petra' }, headers))).toBe(403);
  });
});

describe('the origin of a login', () => {
  const at = (host: string, cookie: string, behind: DoorHarness, headers: Record<string, string> = {}) =>
    rawRequest(`${behind.url}/api/me`, { headers: { host, cookie, ...headers } });

  it('is the only one it works at: not at another name, port or scheme [kitchen.auth.origin]', async () => {
    const behind = await startDoor({ trustedProxies: ['127.0.0.1'] });
    const port = portOf(behind);
    const cookie = await loggedIn(behind);
    expect(await at(`127.0.0.1:${port}`, cookie, behind)).toMatchObject({ status: 200 });
    for (const host of [
      `127.0.0.1:${port + 1}`,
      '127.0.0.1',
      `localhost:${port}`,
      `parley.example:${port}`,
    ]) {
      expect(await at(host, cookie, behind)).toMatchObject({ status: 401 });
    }
    expect(await at(`127.0.0.1:${port}`, cookie, behind, https)).toMatchObject({ status: 401 });
    expect(await at(`127.0.0.1:${port}`, `__Host-${cookie}`, behind, https)).toMatchObject({ status: 401 });
    await behind.stop();
  });

  it('is taken from the first use of a login from before there were origins', async () => {
    const file = databaseFile();
    const first = await startDoor({ file });
    const cookie = await loggedIn(first);
    await first.stop();
    await forgetOrigins(file);
    const second = await startDoor({ file });
    const port = portOf(second);
    expect(await at(`localhost:${port}`, cookie, second)).toMatchObject({ status: 200 });
    expect(await at(`localhost:${port}`, cookie, second)).toMatchObject({ status: 200 });
    expect(await at(`127.0.0.1:${port}`, cookie, second)).toMatchObject({ status: 401 });
    await second.stop();
  });

  it('lets such a login keep working over https until its cookie has the new name', async () => {
    const file = databaseFile();
    const first = await startDoor({ file });
    const old = await loggedIn(first);
    await first.stop();
    await forgetOrigins(file);
    const second = await startDoor({ file, trustedProxies: ['127.0.0.1'] });
    for (let visits = 0; visits < 2; visits += 1) {
      const response = await get('/api/me', { ...https, cookie: old }, second);
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toEqual([
        `__Host-${old}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure`,
        'rv_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
      ]);
    }
    expect(await statusOf(get('/api/me', { ...https, cookie: `__Host-${old}` }, second))).toBe(200);
    expect(await statusOf(get('/api/me', { ...https, cookie: old }, second))).toBe(401);
    await second.stop();
  });
});

describe('the person of a login', () => {
  it('is chosen once and remembered, and a request may still name another', async () => {
    const cookie = await loggedIn();
    expect(await statusOf(get('/api/sessions', { cookie }))).toBe(400);
    const chosen = await post('/api/me', { person: 'petra' }, { cookie });
    expect(await chosen.json()).toMatchObject({ person: 'petra' });
    expect(await (await get('/api/me', { cookie })).json()).toMatchObject({ person: 'petra' });

    const ask = async (headers: Record<string, string>) => {
      const response = await post('/api/chat', { message: 'Hello' }, { cookie, ...headers });
      await response.text();
      return response.headers.get('x-conversation-id') ?? '';
    };
    expect((await door.gateway.getSession('petra', await ask({}))).person).toBe('petra');
    const named = await ask({ 'x-notes-person': 'sebastian' });
    expect((await door.gateway.getSession('sebastian', named)).person).toBe('sebastian');
  });

  it('comes with what the person may do [team.role.household]', async () => {
    const cookie = await loggedIn();
    const about = { people: ['sebastian', 'petra'], demo: true, version: '1.2.3' };
    const me = async () => (await get('/api/me', { cookie })).json();
    const nobody = { role: null, rights: [], account: false, displayName: null, firstSteps: false };
    const owner = (displayName: string) => ({
      role: 'owner',
      // What starts programs needs an account.
      rights: Right.options.filter((right) => right !== 'programs'),
      account: false,
      displayName,
      firstSteps: false,
    });
    expect(await me()).toEqual({ person: null, ...about, terminal: false, ...nobody });
    const chosen = await post('/api/me', { person: 'sebastian' }, { cookie });
    expect(await chosen.json()).toEqual({
      person: 'sebastian',
      ...about,
      terminal: true,
      ...owner('sebastian'),
    });
    expect(await me()).toEqual({ person: 'sebastian', ...about, terminal: true, ...owner('sebastian') });
    await post('/api/me', { person: 'petra' }, { cookie });
    expect(await me()).toEqual({ person: 'petra', ...about, terminal: false, ...owner('petra') });
  });

  it('is the only person if there is only one', async () => {
    const alone = await startDoor({ people: ['petra'] });
    const cookie = await loggedIn(alone);
    expect(await (await get('/api/me', { cookie }, alone)).json()).toMatchObject({ person: 'petra' });
    expect(await statusOf(get('/api/sessions', { cookie }, alone))).toBe(200);
    await alone.stop();
  });

  it('must exist, and a key does not remember one', async () => {
    const cookie = await loggedIn();
    expect(await statusOf(post('/api/me', { person: 'mallory' }, { cookie }))).toBe(400);
    expect(await statusOf(post('/api/me', { person: 'petra' }, { 'x-api-key': key }))).toBe(409);
    expect(await (await get('/api/me', { 'x-api-key': key })).json()).toMatchObject({ person: null });
  });
});

describe('a page request without a login', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(['/', '/chat/123', '/api/docs'])(
    'gets the login form at %s [kitchen.auth.login-form]',
    async (path) => {
      const response = await get(path, html);
      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const page = await response.text();
      expect(page).toContain('<form method="post" action="/login">');
      expect(page).toContain(`name="next" value="${path}"`);
      expect(page).toContain('type="password" autocomplete="current-password"');
      expect(page).not.toMatch(/<script|https?:\/\/| on\w+=/);
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      );
      // Browsers send no origin with a form on a page without a referrer.
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
    },
  );

  it('gets JSON if a program asks', async () => {
    const response = await get('/', { accept: '*/*' });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    await response.text();
  });

  it('escapes everything it puts into the page', async () => {
    const page = await (await get('/x?a="><script>alert(1)</script>', html)).text();
    expect(page).not.toContain('<script');
  });

  it('returns to where the person was after login [kitchen.auth.login]', async () => {
    const response = await sendForm({ password: familyPassword, next: '/api/docs?x=1' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/api/docs?x=1');
    expect(response.headers.getSetCookie()[0]).toMatch(cookiePattern);
    const page = await get('/', { ...html, cookie: cookieOf(response) });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Parley is running');
  });

  it.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '//parley.invalid//evil.example',
    'javascript:alert(1)',
    'evil',
    '/login',
    '/logout',
    '',
  ])('never leads away: %j', async (next) => {
    const response = await sendForm({ password: familyPassword, next });
    expect(response.headers.get('location')).toBe('/');
  });

  it('shows the form again with an explanation for a wrong password [kitchen.auth.wrong-password]', async () => {
    const strict = await startDoor();
    const response = await sendForm({ password: 'wrong', next: '/chat/1' }, strict);
    expect(response.status).toBe(401);
    expect(response.headers.get('set-cookie')).toBeNull();
    const page = await response.text();
    expect(page).toContain('role="alert">That is not the family password.</p>');
    expect(page).toContain('value="/chat/1"');
    expect(page).not.toContain('wrong"');
    await strict.stop();
  });

  it.each([
    [undefined, 'en', 'Password'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Passwort'],
    ['fr, en;q=0.8, de;q=0.9', 'de', 'Passwort'],
    ['de;q=0, fr', 'en', 'Password'],
    ['constructor, __proto__', 'en', 'Password'],
    ['en', 'de', 'Passwort', 'a=b; parley_language=de'],
    ['de', 'en', 'Password', 'parley_language=en; a=b'],
    ['de', 'de', 'Passwort', 'parley_language=constructor'],
    ['de', 'de', 'Passwort', 'my_parley_language=en'],
  ])('is in the language of the browser (%s), unless the app set another (%s)', async (...row) => {
    const [wanted, language, label, cookie] = row;
    const chosen = cookie === undefined ? {} : { cookie };
    const response = await get('/', {
      ...html,
      ...chosen,
      ...(wanted !== undefined && { 'accept-language': wanted }),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('vary')).toBe('accept-language, cookie');
    const page = await response.text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<label for="password">${label}</label>`);
    expect(page).toContain('<input id="password" name="password" type="password"');
  });

  it('explains a wrong password in German, with the same status', async () => {
    const strict = await startDoor();
    const response = await sendForm({ password: 'wrong', next: '/' }, strict, { 'accept-language': 'de' });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('role="alert">Das ist nicht das Familienpasswort.</p>');
    await strict.stop();
  });

  it('finds the form at its own address, too', async () => {
    const response = await get('/login', html);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<form method="post" action="/login">');
  });
});

describe('forms', () => {
  it('are accepted only for login and logout', async () => {
    const response = await fetch(`${door.url}/api/claude/chat`, {
      method: 'POST',
      headers: { ...form, 'x-api-key': key, 'x-notes-person': 'petra' },
      body: 'message=Hello',
    });
    expect(response.status).toBe(415);
    await response.text();
  });
});

describe('POST /logout', () => {
  it('clears the cookie, which is worthless from then on', async () => {
    const cookie = await loggedIn();
    const response = await fetch(`${door.url}/logout`, { method: 'POST', headers: { cookie } });
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toBe(
      'rv_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
    expect(await statusOf(get('/api/me', { cookie }))).toBe(401);
  });

  it('redirects a form to the start page, which shows the login form', async () => {
    const headers = { ...form, cookie: await loggedIn() };
    const response = await fetch(`${door.url}/logout`, { method: 'POST', headers, redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
  });

  it('ends the open streams of that login and no other; turns continue [kitchen.logout.ends-streams]', async () => {
    const held = gate();
    door.engine.scripts.set('long talk', async function* () {
      yield { type: 'text.delta', text: 'first' };
      await held.opened;
      yield { type: 'text.delta', text: 'second' };
    });
    const mine = { cookie: await loggedIn(), 'x-notes-person': 'petra' };
    const other = { cookie: await loggedIn(), 'x-notes-person': 'petra' };
    const response = await post('/api/chat', { message: 'long talk' }, mine);
    const id = response.headers.get('x-conversation-id') ?? '';
    const chat = eventsOf(response);
    const notes = await post('/api/claude/chat-stream', { message: 'long talk' }, mine);
    const raw = eventsOf(await get(`/api/sessions/${id}/events?after=0`, mine));
    const elsewhere = eventsOf(await get(`/api/chat/${id}/events`, other));
    for (const stream of [chat, raw, elsewhere]) await stream.next();

    await fetch(`${door.url}/logout`, { method: 'POST', headers: mine });
    const end = { event: 'error', data: { message: 'You were logged out. Log in again to continue.' } };
    expect((await collect(chat)).at(-1)).toMatchObject(end);
    expect((await collect(raw)).at(-1)).toMatchObject(end);
    expect(await notes.text()).toContain('You were logged out.');

    held.open();
    expect((await collect(elsewhere)).map(({ event }) => event)).toEqual(['chunk', 'done']);
    await until(async () => (await door.gateway.turns('petra', id))[0]?.status === 'completed');
  });
});

describe('a login over time', () => {
  const day = 24 * 60 * 60 * 1_000;

  it('survives a server restart and ends when the password changes', async () => {
    const file = databaseFile();
    const first = await startDoor({ file, port: await freePort() });
    const start = (options: HarnessOptions = {}) => startDoor({ file, port: portOf(first), ...options });
    const cookie = await loggedIn(first);
    await post('/api/me', { person: 'petra' }, { cookie }, first);
    await first.stop();
    const secret = cookie.slice('rv_session='.length);
    for (const kept of [file, `${file}-wal`]) expect(tryRead(kept)).not.toContain(secret);

    const second = await start();
    expect(await (await get('/api/me', { cookie }, second)).json()).toMatchObject({ person: 'petra' });
    await second.stop();

    const changed = await start({ password: { password: new Secret('another password') } });
    expect(await statusOf(get('/api/me', { cookie }, changed))).toBe(401);
    expect((await login('another password', changed)).status).toBe(200);
    await changed.stop();

    const store = await openSqliteStore({ file });
    expect(await store.logins.passwordHashes()).toHaveLength(1);
    await store.close();
  });

  it('forgets a person who no longer exists', async () => {
    const file = databaseFile();
    const first = await startDoor({ file, port: await freePort() });
    const cookie = await loggedIn(first);
    await post('/api/me', { person: 'petra' }, { cookie }, first);
    await first.stop();
    const second = await startDoor({ file, port: portOf(first), people: ['sebastian', 'mia'] });
    expect(await (await get('/api/me', { cookie }, second)).json()).toMatchObject({ person: null });
    await second.stop();
  });

  it('lasts as long as it is used, and expires otherwise', async () => {
    let now = Date.now();
    const timed = await startDoor({ clock: { now: () => now }, days: 10 });
    const cookie = await loggedIn(timed);
    const visit = async () => {
      const response = await get('/api/me', { cookie }, timed);
      await response.text();
      return { status: response.status, renewed: response.headers.getSetCookie() };
    };
    expect(await visit()).toEqual({ status: 200, renewed: [] });
    now += 2 * day;
    expect(await visit()).toEqual({
      status: 200,
      renewed: [
        `${cookie}; Path=/; Max-Age=864000; HttpOnly; SameSite=Strict`,
        expect.stringMatching(markPattern),
      ],
    });
    now += 9 * day;
    expect(await visit()).toMatchObject({ status: 200 });
    now += 10 * day;
    expect(await visit()).toEqual({ status: 401, renewed: [] });
    await timed.stop();
  });
});

describe('guessing', () => {
  it('gets slower with every try from one address, without exhausting the machine', async () => {
    let now = Date.now();
    const strict = await startDoor({ clock: { now: () => now }, trustedProxies: ['127.0.0.1'] });
    const guess = async (password: string, address = '192.0.2.1') => {
      const response = await login(password, strict, { 'x-forwarded-for': address });
      await response.text();
      return [response.status, response.headers.get('retry-after')];
    };
    for (let tries = 0; tries < 5; tries += 1) expect(await guess('wrong')).toEqual([401, null]);
    expect(await guess('wrong')).toEqual([429, '1']);
    expect(await guess(familyPassword)).toEqual([429, '1']);
    expect(await guess(familyPassword, '192.0.2.2')).toEqual([200, null]);
    now += 1_000;
    expect(await guess('wrong')).toEqual([401, null]);
    expect(await guess('wrong')).toEqual([429, '2']);
    now += 2_000;
    expect(await guess(familyPassword)).toEqual([200, null]);
    expect(await guess('wrong')).toEqual([401, null]);
    await strict.stop();
  });

  it('from many addresses does not keep out a browser that has logged in before [kitchen.auth.known-browser]', async () => {
    const now = Date.now();
    const strict = await startDoor({ clock: { now: () => now }, trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const jar = jarOf(await login(familyPassword, strict, from('192.0.2.1')));
    await fetch(`${strict.url}/logout`, { method: 'POST', headers: { cookie: jar } });
    for (let address = 0; address < 50; address += 1) {
      expect(await statusOf(login('wrong', strict, from(`198.51.100.${address}`)))).toBe(401);
    }
    const [, mark = ''] = jar.split('; ');
    expect(await statusOf(login(familyPassword, strict, from('192.0.2.2')))).toBe(429);
    expect(await statusOf(login(familyPassword, strict, { ...from('192.0.2.2'), cookie: mark }))).toBe(200);
    const stolen = Array.from({ length: 6 }, () =>
      statusOf(login('wrong', strict, { ...from('192.0.2.3'), cookie: mark })),
    );
    const refusals = (await Promise.all(stolen)).filter((status) => status === 429);
    expect(refusals).toHaveLength(1);
    await strict.stop();
  });

  it('with more requests than are allowed overall does not keep the household out either', async () => {
    const limits = { requestsPerMinute: { perAddress: 1_000, overall: 4 } };
    const strict = await startDoor({ limits });
    const jar = jarOf(await login(familyPassword, strict));
    const [session = '', mark = ''] = jar.split('; ');
    for (let tries = 0; tries < 3; tries += 1) expect(await statusOf(get('/api/me', {}, strict))).toBe(401);
    expect(await statusOf(get('/api/me', {}, strict))).toBe(429);
    expect(await statusOf(get('/login', {}, strict))).toBe(429);
    expect(await statusOf(get('/login', { cookie: mark }, strict))).toBe(200);
    expect(await statusOf(get('/api/me', { cookie: session }, strict))).toBe(200);
    expect(await statusOf(get('/api/me', { 'x-api-key': key }, strict))).toBe(200);
    expect(await statusOf(get('/api/me', { 'x-api-key': key }, strict))).toBe(200);
    expect(await statusOf(get('/api/me', { 'x-api-key': key }, strict))).toBe(429);
    await strict.stop();
  });

  it('leaves a browser alone that logged in before browsers had marks, once it has opened a page', async () => {
    const cookie = await loggedIn();
    const html = { accept: 'text/html' };
    expect((await get('/api/me', { cookie })).headers.getSetCookie()).toEqual([]);
    const marked = (await get('/', { ...html, cookie })).headers.getSetCookie();
    expect(marked).toEqual([expect.stringMatching(markPattern)]);
    const again = (await get('/', { ...html, cookie })).headers.getSetCookie();
    expect(again).toEqual(marked);
    const jar = `${cookie}; ${marked[0]?.split(';')[0]}`;
    expect((await get('/', { ...html, cookie: jar })).headers.getSetCookie()).toEqual([]);
  });

  it('counts simultaneous tries individually', async () => {
    const strict = await startDoor();
    const all = await Promise.all(Array.from({ length: 12 }, () => statusOf(login('wrong', strict))));
    expect(all.filter((status) => status === 401)).toHaveLength(5);
    expect(all.filter((status) => status === 429)).toHaveLength(7);
    await strict.stop();
  });
});

function databaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-logins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'parley.db');
}

/** Makes all logins look as if an earlier version had made them. */
async function forgetOrigins(file: string): Promise<void> {
  const connection = openConnection({ file });
  await connection.write(() => connection.exec('UPDATE logins SET origin = NULL'));
  await connection.close();
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
