// Notifications to devices, up to a push service that decrypts them and checks who sent them.
import { once } from 'node:events';
import type { PushMessage, PushState } from '@parley/protocol';
import { type PushStandIn, type PushSubscriptionStandIn, startPushStandIn } from '@parley/stand-ins';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineTurn } from '../../../src/domain/engine.ts';
import { pushKindOf, shouldPush } from '../../../src/domain/push.ts';
import { isNamedIn } from '../../../src/gateway/report-activity.ts';
import { LiveClient } from '../websocket/live-client.ts';
import { type DoorHarness, familyPassword, gate, startDoor, until } from './door-harness.ts';

let service: PushStandIn;
let door: DoorHarness;
let cookie: string;
beforeEach(async () => {
  service = await startPushStandIn();
  door = await startDoor({ people: ['sebastian', 'petra'], pushHosts: [service.host] });
  cookie = await logIn('sebastian');
});
afterEach(async () => {
  await door.stop();
  await service.close();
});

async function logIn(person: string): Promise<string> {
  const response = await send('POST', '/login', { password: familyPassword, person }, '');
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
}

function send(method: string, path: string, body: object | undefined, as = cookie): Promise<Response> {
  return fetch(door.url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), cookie: as },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function subscribe(as = cookie, wanted: Partial<PushSubscriptionStandIn> = {}): Promise<string> {
  const subscription = { ...service.subscribe(), ...wanted };
  const { status } = await send('PUT', '/api/push/device', { ...subscription, language: 'de' }, as);
  expect(status).toBe(200);
  return subscription.endpoint;
}

async function newSession(): Promise<string> {
  const { id } = await door.gateway.createSession('sebastian', {
    engine: 'messages-api',
    assistant: 'notes',
  });
  return id;
}

function prompt(id: string, message: string, as = cookie): Promise<Response> {
  return send('POST', `/api/sessions/${id}/prompts`, { message }, as);
}

const messages = () => service.received.map(({ message }) => JSON.parse(message) as PushMessage);
const titles = () => messages().map(({ title }) => title);

/** Lets the model ask for a permission and say what was decided. */
function asks(details?: Record<string, unknown>): string[] {
  const decided: string[] = [];
  door.engine.scripts.set('post it', async function* (turn: EngineTurn) {
    const decision = await turn.askPermission({
      tool: 'publish',
      input: { text: 'hi' },
      ...(details && { details }),
    });
    decided.push(decision.behavior);
    yield { type: 'text.delta', text: decision.behavior };
  });
  return decided;
}

async function decide(token: string | undefined, behavior: string): Promise<unknown> {
  const response = await send('POST', '/api/push/decisions', { token, behavior }, '');
  return response.json();
}

describe('a notification', () => {
  it('asks for a permission and answers it once, without a login [app.push.needs-you] [app.push.one-use]', async () => {
    const decided = asks();
    await subscribe();
    const id = await newSession();
    await prompt(id, 'post it');
    await until(() => service.received.length === 1);
    const [message] = messages();
    expect(message).toMatchObject({ title: 'publish braucht deine Erlaubnis', tag: id, path: `/chat/${id}` });
    expect(service.received[0]).toMatchObject({
      headers: { urgency: 'high', 'content-encoding': 'aes128gcm' },
      claims: { aud: `http://${service.host}`, sub: 'https://parley.example' },
      serverKey: ((await (await send('GET', '/api/push', undefined)).json()) as PushState).publicKey,
    });
    const token = message?.decision?.token ?? '';
    const changed = token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    expect(await decide(changed, 'allow')).toEqual({ decided: false });
    expect(await decide('nothing', 'allow')).toEqual({ decided: false });
    expect(decided).toEqual([]);
    expect(await decide(token, 'allow')).toEqual({ decided: true });
    await until(() => decided.length === 1);
    expect(decided).toEqual(['allow']);
    expect(await decide(token, 'deny')).toEqual({ decided: false });

    // The same words again, for a question of its own.
    await prompt(id, 'post it');
    await until(() => messages().filter(({ decision }) => decision).length === 2);
    expect(await decide(token, 'allow')).toEqual({ decided: false });
    expect(await decide(messages().findLast(({ decision }) => decision)?.decision?.token, 'deny')).toEqual({
      decided: true,
    });
    await until(() => decided.length === 2);
    expect(decided).toEqual(['allow', 'deny']);
    const entries = await door.store.audit.search({ action: 'permission.decided', limit: 9 });
    expect(entries.map(({ person, detail }) => [person, detail])).toEqual([
      ['sebastian', 'publish; denied'],
      ['sebastian', 'publish; allowed once'],
    ]);
  });

  it('has no buttons for a question that takes more than yes or no [app.push.needs-you]', async () => {
    asks({ requires_user_interaction: true });
    await subscribe();
    await prompt(await newSession(), 'post it');
    await until(() => service.received.length === 1);
    expect(messages()[0]?.decision).toBeUndefined();
  });

  it('answers nothing once its device has logged out or belongs to somebody else [app.push.one-use] [app.push.device]', async () => {
    const decided = asks();
    const one = await subscribe();
    const other = await logIn('sebastian');
    const two = await subscribe(other);
    await prompt(await newSession(), 'post it', other);
    await until(() => service.received.length === 2);
    const tokenAt = (endpoint: string) => {
      const received = service.received.find((push) => push.endpoint === endpoint);
      return (JSON.parse(received?.message ?? '{}') as PushMessage).decision?.token;
    };
    await send('POST', '/logout', {}, cookie);
    expect(await decide(tokenAt(one), 'allow')).toEqual({ decided: false });
    await send('POST', '/api/me', { person: 'petra' }, other);
    expect(await decide(tokenAt(two), 'allow')).toEqual({ decided: false });
    expect(decided).toEqual([]);
    expect(await door.store.push.devices('sebastian', Date.now())).toEqual([]);
    expect(await door.store.push.devices('petra', Date.now())).toEqual([]);
  });

  it('reports what is done, what failed, and who was named, but not what somebody stopped [app.push.kinds]', async () => {
    await subscribe();
    const petra = await logIn('petra');
    await subscribe(petra);
    const id = await newSession();
    door.engine.scripts.set('fail', async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'No.', recoverable: true };
    });
    const waiting = gate();
    door.engine.scripts.set('wait', async function* ({ signal }: EngineTurn) {
      waiting.open();
      await once(signal, 'abort');
      yield { type: 'text.delta', text: '' };
    });
    await prompt(id, 'wait');
    await waiting.opened;
    await send('POST', `/api/sessions/${id}/interrupt`, {});
    await prompt(id, 'fail');
    await until(() => service.received.length === 1);
    await prompt(id, 'for Petra, who does not see it');
    await until(() => service.received.length === 2);
    expect(titles()).toEqual(['Fehlgeschlagen', 'Fertig']);

    await send('PUT', `/api/sessions/${id}/shares`, { with: 'petra', level: 'read' });
    await prompt(id, 'What do you think, @Petra?');
    await until(() => service.received.length === 5);
    expect(titles().slice(2).toSorted()).toEqual(['Fertig', 'Fertig', 'sebastian hat dich erwähnt']);
  });

  it('respects what the person chose, and is not sent while they are looking [app.push.choices] [app.push.looking]', async () => {
    await subscribe();
    const [muted, watched, open] = [await newSession(), await newSession(), await newSession()];
    expect((await send('PUT', `/api/push/muted/${muted}`, undefined)).status).toBe(200);
    await prompt(muted, 'hello');
    const page = new LiveClient(`${door.url}/api/live`, { cookie });
    await page.opened();
    page.send({ type: 'subscribe', session: watched });
    page.send({ type: 'presence', visible: true });
    await page.presence(watched, { pages: 1, visible: 1 });
    await prompt(watched, 'hello');
    await page.turnEnded(watched);
    await prompt(open, 'hello');
    await until(() => service.received.length > 0);
    expect(messages().map(({ tag }) => tag)).toEqual([open]);
    page.drop();

    const choices = { kinds: ['failed'], quiet: null };
    const { settings } = (await (await send('PUT', '/api/push/settings', choices)).json()) as PushState;
    expect(settings).toEqual({ ...choices, muted: [muted] });
    const wrong = { kinds: [], quiet: { from: '25:00', to: '07:00', timeZone: 'Mars/Base' } };
    expect((await send('PUT', '/api/push/settings', wrong)).status).toBe(400);
  });

  it('is sent again after a failure, and never to a device that is gone [app.push.retries] [app.push.device]', async () => {
    await subscribe();
    service.failNext(503, { 'retry-after': '0' });
    service.failNext(429, { 'retry-after': '0' });
    await prompt(await newSession(), 'hello');
    await until(() => service.received.length === 1);
    expect(service.attempts).toBe(3);
    service.failNext(410);
    await prompt(await newSession(), 'hello');
    await until(async () => (await door.store.push.devices('sebastian', Date.now())).length === 0);
    expect(service.received).toHaveLength(1);
  });

  it('leaves only for push services on the Internet [app.push.guarded]', async () => {
    const { keys } = service.subscribe();
    const put = (endpoint: string, given: object = keys) =>
      send('PUT', '/api/push/device', { endpoint, keys: given, language: 'en' });
    for (const endpoint of [
      'http://127.0.0.1:1/x',
      'http://push.example/x',
      'file:///etc/passwd',
      'nonsense',
    ])
      expect([endpoint, (await put(endpoint)).status]).toEqual([endpoint, 400]);
    expect((await put('https://push.example/x', { ...keys, auth: 'AAAA' })).status).toBe(400);
    for (const endpoint of [
      'https://169.254.169.254/latest',
      'https://[::1]:8443/',
      `https://localhost:${service.host.split(':')[1]}/`,
    ]) {
      expect((await put(endpoint)).status).toBe(200);
      await prompt(await newSession(), 'hello');
      await until(async () => (await door.store.push.devices('sebastian', Date.now())).length === 0);
    }
    expect(service.attempts).toBe(0);
    // Keys have no device.
    const withKey = await door.fetch('/api/push/device', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint: 'https://push.example/x', keys, language: 'en' }),
    });
    expect(withKey.status).toBe(409);
  });
});

describe('the rules', () => {
  it('know quiet hours, even across midnight and in the person’s time zone [app.push.choices]', () => {
    const at = (time: string, from: string, to: string) =>
      shouldPush(
        { kinds: ['done'], muted: [], quiet: { from, to, timeZone: 'Asia/Tokyo' } },
        'done',
        'x',
        Date.parse(`2026-01-01T${time}:00+09:00`),
      );
    const night = (time: string) => at(time, '22:00', '07:00');
    expect(['21:59', '22:00', '00:00', '06:59', '07:00'].map(night)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    expect([at('13:30', '13:00', '14:00'), at('14:00', '13:00', '14:00')]).toEqual([false, true]);
  });

  it('find names as whole words [app.push.kinds]', () => {
    expect(isNamedIn('Ask @Petra!', ['petra'])).toBe(true);
    expect(isNamedIn('petras Plan', ['petra'])).toBe(false);
    expect(isNamedIn('Für Jürgen Öz.', ['jürgen öz'])).toBe(true);
    expect(isNamedIn('anything', [''])).toBe(false);
  });

  it('keep quiet about what only refreshes a page [app.push.kinds]', () => {
    const session = {
      id: 'x',
      engine: 'messages-api',
      assistant: 'notes',
      title: '',
      project: undefined,
    } as const;
    expect(pushKindOf({ type: 'title-changed', session })).toBeUndefined();
    expect(pushKindOf({ type: 'turn-ended', session, outcome: 'interrupted' })).toBeUndefined();
  });
});
