// One's own account: protecting it, its password, and its devices.
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  collect,
  type DoorHarness,
  familyPassword,
  gate,
  key,
  petrasKey,
  startDoor,
} from './door-harness.ts';
import { eventsOf } from './sse.ts';
import { type Visitor, visit } from './visitor.ts';

const strong = 'seven wandering otters';
const better = 'nine sleepy badgers';

async function start(): Promise<DoorHarness> {
  const door = await startDoor();
  onTestFinished(() => door.stop());
  return door;
}

async function protectedBy(door: DoorHarness, person: string): Promise<Visitor> {
  const visitor = visit(door);
  await visitor.send('POST', '/login', { password: familyPassword, person });
  expect((await visitor.send('POST', '/api/account', { password: strong })).status).toBe(200);
  return visitor;
}

const login = (door: DoorHarness, person: string, password: string) => {
  const visitor = visit(door);
  return visitor.send('POST', '/login', { person, password }).then((answer) => ({ visitor, ...answer }));
};

describe('protecting your own account', () => {
  it('gives you a password of your own, and the role you had [team.account.protect]', async () => {
    const door = await start();
    const petra = await protectedBy(door, 'petra');
    expect((await petra.send('GET', '/api/account')).body).toEqual({
      person: 'petra',
      displayName: 'petra',
      role: 'owner',
      account: true,
      password: true,
      passkeys: [],
      openId: null,
      passkeysWork: false,
    });
    const sebastian = await login(door, 'sebastian', familyPassword);
    expect(sebastian.body).toMatchObject({ person: 'sebastian', role: 'member', people: ['sebastian'] });
    expect((await petra.send('POST', '/api/account', { password: strong })).status).toBe(409);
  });

  it('needs a login: a key is not enough', async () => {
    const door = await start();
    const headers = { 'x-api-key': key, 'x-notes-person': 'petra' };
    const answer = await visit(door).send('POST', '/api/account', { password: strong }, headers);
    expect(answer.status).toBe(403);
    expect(door.people.hasAccount('petra')).toBe(false);
  });
});

describe('logging in with your own password', () => {
  it('is the only password that works for you [team.login.own-password]', async () => {
    const door = await start();
    await protectedBy(door, 'petra');
    expect((await login(door, 'petra', familyPassword)).status).toBe(401);
    expect((await login(door, 'petra', strong)).body).toMatchObject({ person: 'petra', account: true });
    expect((await login(door, 'sebastian', strong)).status).toBe(401);
    expect((await visit(door).send('POST', '/login', { password: strong })).status).toBe(401);
    const family = await visit(door).send('POST', '/login', { password: familyPassword });
    expect(family.body).toMatchObject({ person: null, people: ['sebastian'] });
  });

  it('says the same about a wrong password whoever it is for', async () => {
    const door = await start();
    await protectedBy(door, 'petra');
    const about = async (person: string) => JSON.stringify((await login(door, person, 'wrong')).body);
    const petra = await about('petra');
    expect(petra).toContain('The name or the password is wrong.');
    expect([await about('sebastian'), await about('mallory')]).toEqual([petra, petra]);
  });

  it('is bound to you: the login can act for nobody else', async () => {
    const door = await start();
    const petra = await protectedBy(door, 'petra');
    const asSebastian = { 'x-notes-person': 'sebastian' };
    expect((await petra.send('GET', '/api/sessions', undefined, asSebastian)).status).toBe(403);
    expect((await petra.send('POST', '/api/me', { person: 'sebastian' })).status).toBe(403);
    expect((await petra.send('POST', '/api/me', { person: 'petra' })).body).toMatchObject({
      person: 'petra',
    });
  });

  it('waits after many wrong guesses for one account, wherever they come from [team.login.guesses]', async () => {
    const door = await startDoor({ trustedProxies: ['127.0.0.1'] });
    onTestFinished(() => door.stop());
    const known = visit(door);
    await known.send('POST', '/login', { password: familyPassword, person: 'petra' });
    await known.send('POST', '/api/account', { password: strong });
    const from = (index: number, password = 'wrong', person = 'petra') =>
      visit(door).send('POST', '/login', { person, password }, { 'x-forwarded-for': `192.0.2.${index}` });
    for (let index = 1; index <= 20; index += 1) expect((await from(index)).status).toBe(401);
    expect((await from(21)).status).toBe(429);
    expect((await from(22, strong)).status).toBe(429);
    expect((await from(23, familyPassword, 'sebastian')).status).toBe(200);
    expect((await known.send('POST', '/login', { person: 'petra', password: strong })).status).toBe(200);
  });
});

describe('changing your password', () => {
  it('needs the current one, and logs your other devices out [team.password.change]', async () => {
    const door = await start();
    const petra = await protectedBy(door, 'petra');
    const { visitor: other } = await login(door, 'petra', strong);
    const change = (current: string | undefined, password: string) =>
      petra.send('PUT', '/api/account/password', { current, password });
    expect((await change(undefined, better)).status).toBe(400);
    expect((await change('wrong', better)).status).toBe(400);
    expect((await change(strong, 'password')).status).toBe(400);
    expect((await other.send('GET', '/api/me')).status).toBe(200);
    expect((await change(strong, better)).status).toBe(200);
    expect((await other.send('GET', '/api/me')).status).toBe(401);
    expect((await petra.send('GET', '/api/me')).body).toMatchObject({ person: 'petra' });
    expect((await login(door, 'petra', strong)).status).toBe(401);
    expect((await login(door, 'petra', better)).status).toBe(200);
  });

  it('changes how the name is shown', async () => {
    const door = await start();
    const petra = await protectedBy(door, 'petra');
    await petra.send('PATCH', '/api/account', { displayName: 'Petra P.' });
    expect((await petra.send('GET', '/api/me')).body).toMatchObject({ displayName: 'Petra P.' });
    await petra.send('PATCH', '/api/account', { displayName: null });
    expect((await petra.send('GET', '/api/me')).body).toMatchObject({ displayName: 'petra' });
  });
});

describe('devices', () => {
  it('are listed and ended one by one, with everything they have open [team.device.end]', async () => {
    const door = await start();
    const petra = await protectedBy(door, 'petra');
    const { visitor: phone } = await login(door, 'petra', strong);
    const never = gate();
    onTestFinished(() => never.open());
    door.engine.scripts.set('wait', async function* () {
      await never.opened;
      yield { type: 'text.delta', text: 'too late' };
    });
    const stream = await fetch(`${door.url}/api/chat`, {
      method: 'POST',
      headers: { cookie: phone.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'wait' }),
    });
    const { devices } = (await petra.send('GET', '/api/account/devices')).body as unknown as {
      devices: { id: string; kind: string; current: boolean; name: string }[];
    };
    expect(devices.map(({ kind, name, current }) => [kind, name, current])).toEqual(
      expect.arrayContaining([
        ['password', 'node', true],
        ['password', 'node', false],
      ]),
    );
    const other = devices.find(({ current }) => !current)?.id ?? '';
    expect((await petra.send('DELETE', `/api/account/devices/${other}`)).status).toBe(204);
    expect(JSON.stringify(await collect(eventsOf(stream)))).toContain('You were logged out.');
    expect((await phone.send('GET', '/api/me')).status).toBe(401);
    expect((await petra.send('DELETE', `/api/account/devices/${other}`)).status).toBe(404);
  });

  it('are ended together, except the one that asks, and only your own [team.device.own]', async () => {
    const door = await start();
    const petra = await protectedBy(door, 'petra');
    const { visitor: phone } = await login(door, 'petra', strong);
    const sebastian = visit(door);
    await sebastian.send('POST', '/login', { password: familyPassword, person: 'sebastian' });
    const family = (await sebastian.send('GET', '/api/account/devices')).body as unknown as {
      devices: { id: string; kind: string }[];
    };
    expect(family.devices.map(({ kind }) => kind)).toEqual(['family']);
    const foreign = `/api/account/devices/${family.devices[0]?.id}`;
    expect((await petra.send('DELETE', foreign)).status).toBe(404);
    expect((await petra.send('DELETE', '/api/account/devices')).status).toBe(204);
    expect((await phone.send('GET', '/api/me')).status).toBe(401);
    expect((await petra.send('GET', '/api/me')).status).toBe(200);
    expect((await sebastian.send('GET', '/api/me')).status).toBe(200);
    const withKey = { 'x-api-key': petrasKey };
    expect((await visit(door).send('GET', '/api/account/devices', undefined, withKey)).status).toBe(200);
  });

  it.each([
    ['de', 'mia12345', 'Dieses Passwort ist leicht zu erraten.'],
    ['de', 'kurz', 'Nimm für das Passwort mindestens 8 Zeichen.'],
    ['de', 'password1', 'Viele benutzen dieses Passwort oder ein ähnliches.'],
    ['en', 'password1', 'Many people use this password or a similar one.'],
    ['de', 'qwertzuiop', 'leicht zu erraten.'],
  ])('explains in %s why %s is refused [team.password.strength]', async (language, password, says) => {
    const door = await startDoor();
    onTestFinished(() => door.stop());
    const petra = visit(door);
    await petra.send('POST', '/login', { password: familyPassword, person: 'petra' });
    const headers = { 'accept-language': language };
    const { status, body } = await petra.send('POST', '/api/account', { password }, headers);
    expect([status, body['error']]).toEqual([
      400,
      { code: 'invalid', message: expect.stringContaining(says) },
    ]);
  });
});
