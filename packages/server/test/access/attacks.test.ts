// Attacks that were once tried by hand, and fail: through links, keys and streams that should have ended.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Account } from '../../src/domain/accounts.ts';
import {
  collect,
  type DoorHarness,
  familyPassword,
  petrasKey,
  startDoor,
} from '../doors/http/door-harness.ts';
import { eventsOf } from '../doors/http/sse.ts';
import { type Visitor, visit } from '../doors/http/visitor.ts';

const password = 'seven wandering otters';

async function start(): Promise<DoorHarness> {
  const door = await startDoor();
  onTestFinished(() => door.stop());
  return door;
}

async function family(door: DoorHarness, person: string): Promise<Visitor> {
  const visitor = visit(door);
  await visitor.send('POST', '/login', { password: familyPassword, person });
  return visitor;
}

async function invite(by: Visitor, name: string, more: object = {}): Promise<string> {
  const { body } = await by.send('POST', '/api/invitations', { name, ...more });
  return String(body['path']).split('#')[1] ?? '';
}

async function accept(door: DoorHarness, secret: string) {
  const visitor = visit(door);
  const { status } = await visitor.send('POST', '/api/invitations/accept', { secret, password });
  return { visitor, status };
}

/** An owner with an account, who was invited by the household. */
async function owner(door: DoorHarness, name = 'olga'): Promise<Visitor> {
  const by = await family(door, 'sebastian');
  return (await accept(door, await invite(by, name, { role: 'owner' }))).visitor;
}

describe('an invitation', () => {
  it('ends when the person who made it may no longer invite [team.invitation.inviter]', async () => {
    const door = await start();
    const sebastian = await family(door, 'sebastian');
    const early = await invite(sebastian, 'mallory', { role: 'owner' });
    const olga = await owner(door);
    expect((await accept(door, early)).status).toBe(404);
    const second = await accept(door, await invite(olga, 'second', { role: 'owner' }));
    const theirs = await invite(second.visitor, 'mallory', { role: 'owner' });
    expect((await olga.send('PATCH', '/api/people/second', { role: 'member' })).status).toBe(200);
    expect((await accept(door, theirs)).status).toBe(404);
    expect((await olga.send('GET', '/api/invitations')).body).toEqual({ invitations: [] });
  });

  it('is no way back into an account that was disabled or removed [team.invitation.inviter]', async () => {
    const door = await start();
    const olga = await owner(door);
    await accept(door, await invite(olga, 'mia'));
    const back = await invite(olga, 'mia');
    await olga.send('PATCH', '/api/people/mia', { disabled: true });
    expect((await accept(door, back)).status).toBe(404);
    await olga.send('PATCH', '/api/people/mia', { disabled: false });
    await olga.send('DELETE', '/api/people/mia');
    expect((await accept(door, back)).status).toBe(404);
  });
});

describe('what belongs to an account', () => {
  it('ends with it, even if the family password works for the person again [team.account.ends-streams]', async () => {
    const door = await start();
    const olga = await owner(door);
    const { visitor: petra } = await accept(door, await invite(olga, 'petra'));
    const made = await petra.send('POST', '/api/keys', { label: 'a script' });
    const key = { 'x-api-key': String(made.body['secret']) };
    const { body } = await petra.send('POST', '/api/sessions', { assistant: 'notes' });
    const path = `${door.url}/api/sessions/${String(body['id'])}/events`;
    const streams = await Promise.all(
      [{ cookie: petra.cookie }, key].map((headers) => fetch(path, { headers })),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect((await olga.send('DELETE', '/api/people/petra')).status).toBe(204);
    for (const stream of streams) await collect(eventsOf(stream));
    expect((await fetch(`${door.url}/api/me`, { headers: key })).status).toBe(401);
    expect((await petra.send('GET', '/api/me')).status).toBe(401);
    expect((await (await family(door, 'petra')).send('GET', '/api/me')).body).toMatchObject({
      person: 'petra',
    });
  });

  it('opens nothing while the account is disabled, not even what needs no person [team.account.disabled]', async () => {
    const door = await start();
    const disabled: Account = {
      person: 'petra',
      role: 'guest',
      assistants: ['kitchen'],
      createdAt: 1,
      disabledAt: 2,
    };
    const { id } = await door.gateway.createSession('petra', {
      engine: 'messages-api',
      assistant: 'kitchen',
    });
    door.people.update({ accounts: [disabled] });
    for (const path of ['/', '/metrics', '/api/me', '/api/recipes', '/api/docs/json', '/api/sessions'])
      expect((await fetch(door.url + path, { headers: { 'x-api-key': petrasKey } })).status).toBe(401);
    // Nobody who acts for them, such as a bot, gets anything either.
    await expect(door.gateway.getSession('petra', id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a guest', () => {
  it('can’t find out who else is here by sharing [team.role.guest-alone]', async () => {
    const door = await start();
    const olga = await owner(door);
    const guest = { role: 'guest', assistants: ['kitchen'] };
    const { visitor } = await accept(door, await invite(olga, 'gus', guest));
    const made = await visitor.send('POST', '/api/sessions', { assistant: 'kitchen' });
    const share = async (name: string) => {
      const path = `/api/sessions/${String(made.body['id'])}/shares`;
      const { status, text } = await visitor.send('PUT', path, { with: name, level: 'read' });
      return [status, text];
    };
    expect(await share('olga')).toEqual(await share('nobody-here'));
  });
});
