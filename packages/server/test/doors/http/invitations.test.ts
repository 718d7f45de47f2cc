// From an invitation to an account, and what an owner can do with it.
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { familyPassword, key, startDoor, until } from './door-harness.ts';
import { visit } from './visitor.ts';

const strong = 'seven wandering otters';

async function household() {
  const door = await startDoor();
  onTestFinished(() => door.stop());
  const sebastian = visit(door);
  await sebastian.send('POST', '/login', { password: familyPassword, person: 'sebastian' });
  const invite = async (person: string, role = 'member', assistants: string[] = [], by = sebastian) => {
    const { status, body } = await by.send('POST', '/api/invitations', { name: person, role, assistants });
    const [, secret = ''] = String(body['path']).split('#');
    return { status, body: body as Record<string, unknown>, secret };
  };
  const accept = async (secret: string, password = strong) => {
    const visitor = visit(door);
    const answer = await visitor.send('POST', '/api/invitations/accept', { secret, password });
    return { ...visitor, ...answer, visitor };
  };
  return { door, sebastian, invite, accept };
}

describe('an invitation', () => {
  it('leads to an account with a password, and to a login [team.invitation.accept]', async () => {
    const { door, sebastian, invite, accept } = await household();
    const { status, body, secret } = await invite('mia');
    expect(status).toBe(200);
    expect(body).toMatchObject({ person: 'mia', role: 'member', createdBy: 'sebastian' });
    expect(body['path']).toMatch(/^\/invite#[\w-]{43}$/);
    const found = await visit(door).send('POST', '/api/invitations/find', { secret });
    expect(found.body).toMatchObject({
      person: 'mia',
      role: 'member',
      invitedBy: 'sebastian',
      account: false,
    });
    const { visitor, body: me } = await accept(secret);
    expect(me).toMatchObject({ person: 'mia', people: ['mia'], role: 'member', account: true });
    expect((await visitor.send('GET', '/api/me')).body).toMatchObject({ person: 'mia' });
    expect((await visitor.send('GET', '/api/sessions')).status).toBe(200);
    const { body: all } = await sebastian.send('GET', '/api/people');
    expect(all).toMatchObject({ people: [{ person: 'sebastian' }, { person: 'petra' }, { person: 'mia' }] });
  });

  it('works once, and not after it was withdrawn [team.invitation.once]', async () => {
    const { sebastian, invite, accept } = await household();
    const { secret } = await invite('mia');
    expect((await accept(secret)).status).toBe(200);
    expect((await accept(secret)).status).toBe(404);
    const second = await invite('jonas');
    const { body } = await sebastian.send('GET', '/api/invitations');
    expect(body).toMatchObject({ invitations: [{ person: 'jonas' }] });
    expect((await sebastian.send('DELETE', `/api/invitations/${String(second.body['id'])}`)).status).toBe(
      204,
    );
    expect((await accept(second.secret)).status).toBe(404);
  });

  it('expires after seven days', async () => {
    let now = Date.now();
    const door = await startDoor({ clock: { now: () => now } });
    onTestFinished(() => door.stop());
    const { secret } = await inviteWith(door);
    now += 7 * 24 * 60 * 60 * 1_000;
    const answer = await visit(door).send('POST', '/api/invitations/accept', { secret, password: strong });
    expect(answer.status).toBe(404);
  });

  it('is stored only as a hash', async () => {
    const { door, invite } = await household();
    const { secret, body } = await invite('mia');
    const stored = JSON.stringify(await door.store.accounts.invitations(0));
    expect(stored).toContain(body['id']);
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(await door.store.audit.search({ limit: 100 }))).not.toContain(secret);
  });

  it('refuses a weak password, says what would make it better, and stays open [team.password.strength]', async () => {
    const { invite, accept } = await household();
    const { secret } = await invite('mia');
    for (const [weak, advice] of [
      ['short', 'Use at least 8 characters'],
      ['password1', 'Add a few words that have nothing to do with each other.'],
      ['mia-parley', 'Add a few words that have nothing to do with each other.'],
    ] as const) {
      const { status, body } = await accept(secret, weak);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(advice);
    }
    expect((await accept(secret)).status).toBe(200);
  });

  it('replaces the credentials of somebody with an account [team.invitation.recover]', async () => {
    const { door, invite, accept } = await household();
    const first = await accept((await invite('mia')).secret);
    const again = await accept((await invite('mia', 'owner')).secret, 'nine sleepy badgers');
    expect(again.body).toMatchObject({ person: 'mia', role: 'member' });
    expect((await first.visitor.send('GET', '/api/me')).status).toBe(401);
    const login = (password: string) => visit(door).send('POST', '/login', { person: 'mia', password });
    expect((await login(strong)).status).toBe(401);
    expect((await login('nine sleepy badgers')).status).toBe(200);
  });

  it('ends the API keys and invitations that old credentials could have made [team.invitation.recover]', async () => {
    const { door, invite, accept } = await household();
    const owner = await accept((await invite('mia', 'owner')).secret);
    const makeKey = async (person: string) => {
      const made = await owner.visitor.send('POST', '/api/keys', { label: 'of a thief', for: person });
      return { 'x-api-key': String(made.body['secret']), 'x-notes-person': person };
    };
    const keys = [await makeKey('mia'), await makeKey('petra')];
    const invited = (await invite('eve', 'owner', [], owner.visitor)).secret;
    const { id } = await door.gateway.createSession('mia', { engine: 'messages-api', assistant: 'notes' });
    const stream = await door.fetch(`/api/sessions/${id}/events`, { headers: keys[0] ?? {} });
    expect(stream.status).toBe(200);

    await accept((await invite('mia', 'owner', [], owner.visitor)).secret, 'nine sleepy badgers');
    await stream.text();
    for (const headers of keys) expect((await door.fetch('/api/me', { headers })).status).toBe(401);
    expect((await accept(invited)).status).toBe(404);
    const [entry] = await door.store.audit.search({ limit: 1, action: 'account.recovered' });
    expect(entry?.detail).toBe('password; API keys revoked: 2');
  });

  it('for a guest names assistants that exist', async () => {
    const { invite } = await household();
    expect((await invite('mia', 'guest')).status).toBe(400);
    expect((await invite('mia', 'guest', ['nonsense'])).status).toBe(400);
    expect((await invite('mia', 'guest', ['kitchen'])).body).toMatchObject({ assistants: ['kitchen'] });
  });
});

describe('managing people', () => {
  it('stops what runs for somebody who is disabled, and withdraws what waits [team.account.ends-turns]', async () => {
    const { door, sebastian, invite, accept } = await household();
    const mia = (await accept((await invite('mia')).secret)).visitor;
    const { body: session } = await mia.send('POST', '/api/sessions', { assistant: 'notes' });
    const id = String(session['id']);
    door.engine.scripts.set('work', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'working' };
      await once(signal, 'abort');
    });
    await mia.send('PUT', `/api/sessions/${id}/shares`, { with: 'sebastian', level: 'participate' });
    for (const message of ['work', 'more'])
      await mia.send('POST', `/api/sessions/${id}/prompts`, { message });
    await until(() => door.engine.prompts.includes('work'));
    expect((await sebastian.send('PATCH', '/api/people/mia', { disabled: true })).status).toBe(200);
    const statuses = async () => (await door.store.listTurns(id)).map(({ status }) => status);
    await until(async () => (await statuses()).join() === 'interrupted,withdrawn');
    expect(door.engine.prompts).not.toContain('more');
    const refused = await sebastian.send('POST', `/api/sessions/${id}/prompts`, { message: 'and now?' });
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain('may no longer use it');
  });

  it('is for owners only [team.role.people]', async () => {
    const { sebastian, invite, accept } = await household();
    const owner = await accept((await invite('petra', 'owner')).secret);
    const member = await accept((await invite('mia', 'member', [], owner.visitor)).secret);
    for (const visitor of [member.visitor, sebastian]) {
      for (const [method, path, body] of [
        ['GET', '/api/invitations', undefined],
        ['POST', '/api/invitations', { name: 'eve', role: 'owner' }],
        ['DELETE', '/api/invitations/x', undefined],
        ['PATCH', '/api/people/mia', { role: 'owner' }],
        ['DELETE', '/api/people/petra', undefined],
      ] as const) {
        expect([path, (await visitor.send(method, path, body)).status]).toEqual([path, 403]);
      }
    }
    expect((await owner.visitor.send('GET', '/api/invitations')).status).toBe(200);
  });

  it('changes roles, disables, enables and removes accounts [team.role.change]', async () => {
    const { door, invite, accept } = await household();
    const petra = (await accept((await invite('petra', 'owner')).secret)).visitor;
    const mia = await accept((await invite('mia', 'member', [], petra)).secret);
    const role = async () => (await mia.visitor.send('GET', '/api/me')).body['role'];
    const change = async (body: object) => (await petra.send('PATCH', '/api/people/mia', body)).status;
    expect(await change({ role: 'guest', assistants: ['notes'] })).toBe(200);
    expect(await role()).toBe('guest');
    expect((await mia.visitor.send('GET', '/api/people')).body).toMatchObject({
      people: [{ person: 'mia', assistants: ['notes'] }],
    });
    expect(await change({ disabled: true })).toBe(200);
    expect((await mia.visitor.send('GET', '/api/me')).status).toBe(401);
    const login = () => visit(door).send('POST', '/login', { person: 'mia', password: strong });
    expect((await login()).status).toBe(401);
    expect(await change({ disabled: false })).toBe(200);
    expect((await login()).status).toBe(200);
    expect((await petra.send('DELETE', '/api/people/mia')).status).toBe(204);
    expect((await petra.send('DELETE', '/api/people/mia')).status).toBe(404);
    expect((await petra.send('PATCH', '/api/people/petra', { role: 'member' })).status).toBe(409);
    const entries = await door.store.audit.search({ limit: 100, person: 'petra' });
    expect(entries.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'account.removed mia',
      'account.enabled mia',
      'account.disabled mia',
      'role.changed mia',
      'invitation.created mia',
      expect.stringContaining('login'),
      'invitation.accepted petra',
      'account.created petra',
    ]);
  });
});

describe('a guest', () => {
  it('reaches no part of Claude Code [team.role.guest]', async () => {
    const { door, invite, accept } = await household();
    const mia = (await accept((await invite('mia', 'guest', ['kitchen'])).secret)).visitor;
    const code = door.door.routes.filter(
      ({ method, path }) => method === 'GET' && /^\/api\/(claude\/sessions|work-folders)/.test(path),
    );
    expect(code.length).toBeGreaterThan(3);
    for (const { path } of code) {
      const answer = await mia.send('GET', path.replaceAll(/:\w+/g, crypto.randomUUID()));
      expect([path, answer.status >= 400 && answer.status < 404]).toEqual([path, true]);
    }
  });

  it('talks to the assistants of the account only [team.role.guest-assistants]', async () => {
    const { invite, accept } = await household();
    const mia = (await accept((await invite('mia', 'guest', ['kitchen'])).secret)).visitor;
    expect((await mia.send('POST', '/api/chat', { message: 'Hello' })).status).toBe(200);
    expect((await mia.send('POST', '/api/claude/chat', { message: 'Hello' })).status).toBe(403);
  });
});

async function inviteWith(door: Awaited<ReturnType<typeof startDoor>>) {
  const headers = { 'x-api-key': key, 'x-notes-person': 'sebastian' };
  const { body } = await visit(door).send('POST', '/api/invitations', { name: 'mia' }, headers);
  return { secret: String(body['path']).split('#')[1] ?? '' };
}
