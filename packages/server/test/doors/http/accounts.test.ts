// What changes for credentials when a person gets an account of their own.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Account } from '../../../src/domain/accounts.ts';
import { collect, familyPassword, gate, key, petrasKey, startDoor } from './door-harness.ts';
import { eventsOf } from './sse.ts';

const petra: Account = { person: 'petra', role: 'owner', assistants: [], createdAt: 1 };
const json = { 'content-type': 'application/json' };

async function start() {
  const door = await startDoor();
  onTestFinished(() => door.stop());
  const response = await fetch(`${door.url}/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ password: familyPassword, person: 'petra' }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const me = async (headers: Record<string, string>) =>
    (await fetch(`${door.url}/api/me`, { headers })).json() as Promise<Record<string, unknown>>;
  const sessionsOf = async (headers: Record<string, string>) => {
    const answer = await fetch(`${door.url}/api/sessions`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  return { door, cookie, me, sessionsOf };
}

describe('a person with an account', () => {
  it.each([
    ['the family password', (cookie: string) => ({ cookie })],
    ['a key for everybody', () => ({ 'x-api-key': key })],
  ])('does not exist for %s [team.account.own-credentials]', async (_, credentials) => {
    const { door, cookie, me, sessionsOf } = await start();
    const headers = credentials(cookie);
    const asPetra = { ...headers, 'x-notes-person': 'petra' };
    expect((await sessionsOf(asPetra)).status).toBe(200);
    door.people.update({ accounts: [petra] });
    const unknown = await sessionsOf({ ...headers, 'x-notes-person': 'mallory' });
    expect(unknown).toMatchObject({ status: 400 });
    expect(await sessionsOf(asPetra)).toEqual(unknown);
    expect((await sessionsOf({ ...headers, 'x-notes-person': 'sebastian' })).status).toBe(200);
    expect(await me(headers)).toMatchObject({ person: null, people: ['sebastian'] });
    const chosen = await fetch(`${door.url}/api/me`, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify({ person: 'petra' }),
    });
    expect(chosen.status).toBe(400);
  });

  it('can still be acted for with a key of their own', async () => {
    const { door, me, sessionsOf } = await start();
    door.people.update({ accounts: [petra] });
    expect((await sessionsOf({ 'x-api-key': petrasKey })).status).toBe(200);
    expect(await me({ 'x-api-key': petrasKey })).toMatchObject({
      person: 'petra',
      people: ['petra'],
      role: 'owner',
      account: true,
    });
  });

  it('cannot be acted for by anybody while the account is disabled [team.account.disabled]', async () => {
    const { door, cookie, sessionsOf } = await start();
    door.people.update({ accounts: [{ ...petra, disabledAt: 2 }] });
    for (const headers of [{ cookie }, { 'x-api-key': key }]) {
      expect((await sessionsOf({ ...headers, 'x-notes-person': 'petra' })).status).toBe(400);
    }
    expect((await sessionsOf({ 'x-api-key': petrasKey })).status).toBe(401);
  });

  it('ends the streams of other credentials at once [team.account.ends-streams]', async () => {
    const { door, cookie } = await start();
    const never = gate();
    door.engine.scripts.set('wait', async function* () {
      await never.opened;
      yield { type: 'text.delta', text: 'too late' };
    });
    const open = async (headers: Record<string, string>) => {
      const response = await fetch(`${door.url}/api/chat`, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify({ message: 'wait' }),
      });
      expect(response.status).toBe(200);
      return collect(eventsOf(response));
    };
    const asPetra = { 'x-notes-person': 'petra' };
    const streams = [open({ cookie }), open({ 'x-api-key': key, ...asPetra })];
    const own = open({ 'x-api-key': petrasKey });
    await expect.poll(() => door.engine.prompts.length).toBe(3);
    door.people.update({ accounts: [petra] });
    for (const events of await Promise.all(streams))
      expect(JSON.stringify(events)).toContain('You were logged out.');
    door.people.update({ accounts: [{ ...petra, disabledAt: 2 }] });
    expect(JSON.stringify(await own)).toContain('You were logged out.');
    never.open();
  });
});

describe('the audit log', () => {
  it('has logins, failed logins and logouts with their addresses [team.audit.logins]', async () => {
    const { door, cookie } = await start();
    const wrong = { method: 'POST', headers: json, body: JSON.stringify({ password: 'wrong' }) };
    expect((await fetch(`${door.url}/login`, wrong)).status).toBe(401);
    await fetch(`${door.url}/logout`, { method: 'POST', headers: { cookie } });
    const entries = await door.store.audit.search({ limit: 10 });
    expect(entries.map(({ action, person, address }) => [action, person, address])).toEqual([
      ['logout', 'petra', '127.0.0.1'],
      ['login.failed', null, '127.0.0.1'],
      ['login', 'petra', '127.0.0.1'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('wrong"');
  });
});
