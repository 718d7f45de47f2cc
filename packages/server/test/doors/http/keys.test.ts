// API keys that people make for their programs: what they may do, and what ends them.
import { ApiKeyInfo, CreatedApiKey } from '@parley/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Account } from '../../../src/domain/accounts.ts';
import {
  collect,
  type DoorHarness,
  key as everybodysKey,
  gate,
  type HarnessOptions,
  startDoor,
  until,
} from './door-harness.ts';
import { eventsOf } from './sse.ts';

class MovedClock {
  ahead = 0;
  now = () => Date.now() + this.ahead;
}

async function start(options: HarnessOptions = {}): Promise<DoorHarness> {
  const door = await startDoor(options);
  onTestFinished(() => door.stop());
  return door;
}

async function make(door: DoorHarness, body: object = {}): Promise<CreatedApiKey> {
  const response = await door.post('/api/keys', { label: 'a script', ...body });
  expect(response.status).toBe(201);
  return CreatedApiKey.parse(await response.json());
}

async function listed(door: DoorHarness, person: string): Promise<ApiKeyInfo[]> {
  const response = await door.fetch('/api/keys', { headers: { 'x-notes-person': person } });
  return z.object({ keys: z.array(ApiKeyInfo) }).parse(await response.json()).keys;
}

/** Uses only this key, and names no person. */
function using(door: DoorHarness, secret: string) {
  return (path: string, init: RequestInit = {}) =>
    fetch(door.url + path, {
      ...init,
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    });
}

/** A stream that stays open. */
async function follow(door: DoorHarness, secret: string): Promise<Response> {
  const { id } = await door.gateway.createSession('sebastian', {
    engine: 'messages-api',
    assistant: 'notes',
  });
  const stream = await using(door, secret)(`/api/sessions/${id}/events`);
  expect(stream.status).toBe(200);
  return stream;
}

function send(message: string): RequestInit {
  return { method: 'POST', body: JSON.stringify({ message }) };
}

const account = (person: string, role: Account['role'], createdAt = 1): Account => ({
  person,
  role,
  assistants: [],
  createdAt,
});

describe('an API key created at run time', () => {
  it('acts for its person, and its secret is shown once [team.key.shown-once]', async () => {
    const door = await start();
    const { key, secret } = await make(door);
    expect(key).toMatchObject({ for: 'sebastian', createdBy: 'sebastian', readOnly: false });
    const me = await using(door, secret)('/api/me');
    expect(await me.json()).toMatchObject({ person: 'sebastian' });
    const text = await (await door.fetch('/api/keys')).text();
    expect(text).toContain(key.id);
    expect(text).not.toContain(secret);
    expect(JSON.stringify(await door.store.apiKeys.list())).not.toContain(secret);
  });

  it('cannot act for anybody else [team.key.one-person]', async () => {
    const door = await start();
    const { secret } = await make(door);
    const headers = { 'x-api-key': secret, 'x-notes-person': 'petra' };
    expect((await fetch(`${door.url}/api/sessions`, { headers })).status).toBe(403);
  });

  it('says roughly when it was last used [team.key.last-used]', async () => {
    const door = await start();
    const { key, secret } = await make(door);
    expect(key.lastUsedAt).toBeNull();
    await using(door, secret)('/api/me');
    const [used] = await listed(door, 'sebastian');
    expect(used?.lastUsedAt).toBeGreaterThanOrEqual(key.createdAt);
    await until(async () => (await door.store.apiKeys.list())[0]?.lastUsedAt === used?.lastUsedAt);
  });

  it('ends at once when it is revoked, with its streams [team.key.revoke-ends-streams]', async () => {
    const door = await start();
    const never = gate();
    door.engine.scripts.set('wait', async function* () {
      yield { type: 'text.delta', text: 'a moment' };
      await never.opened;
    });
    onTestFinished(() => never.open());
    const { key, secret } = await make(door);
    const call = using(door, secret);
    const stream = await call('/api/chat', send('wait'));
    const events = eventsOf(stream)[Symbol.asyncIterator]();
    await events.next();
    expect((await door.fetch(`/api/keys/${key.id}`, { method: 'DELETE' })).status).toBe(204);
    const rest = await collect({ [Symbol.asyncIterator]: () => events });
    expect(rest.at(-1)).toMatchObject({ event: 'error' });
    expect((await call('/api/me')).status).toBe(401);
  });

  it('ends when somebody else removes it from the database and the server notices [team.key.outside-changes]', async () => {
    const door = await start();
    const { key, secret } = await make(door);
    const stream = await follow(door, secret);
    await door.store.apiKeys.remove(key.id);
    await door.keys.load();
    await collect(eventsOf(stream));
    expect((await using(door, secret)('/api/me')).status).toBe(401);
  });

  it('counts as revoked when it has expired, and its streams end [team.key.expiry]', async () => {
    const clock = new MovedClock();
    const door = await start({ clock });
    const past = await door.post('/api/keys', { label: 'late', expiresAt: clock.now() - 1 });
    expect(past.status).toBe(400);
    const { secret } = await make(door, { expiresAt: clock.now() + 60_000 });
    const stream = await follow(door, secret);
    clock.ahead = 60_000;
    await door.keys.load();
    await collect(eventsOf(stream));
    expect((await using(door, secret)('/api/me')).status).toBe(401);
  });

  it('is reported when it expires [team.key.expiry]', async () => {
    const door = await start();
    let isReported = false;
    door.keys.onChange(() => {
      isReported ||= door.keys.list().some(({ id }) => !door.keys.isValid(id));
    });
    await door.keys.create({
      label: 'short',
      person: 'petra',
      readOnly: false,
      expiresAt: Date.now() + 50,
    });
    await until(() => isReported);
  });
});

describe('a read-only key', () => {
  it('reads, and is refused every change [team.key.read-only]', async () => {
    const door = await start();
    const { secret } = await make(door, { readOnly: true });
    const call = using(door, secret);
    const { id } = await door.gateway.createSession('sebastian', {
      engine: 'messages-api',
      assistant: 'notes',
    });
    expect((await call(`/api/sessions/${id}`)).status).toBe(200);
    expect((await call('/api/sessions')).status).toBe(200);
    const attempts: readonly (readonly [string, RequestInit])[] = [
      [`/api/sessions/${id}/prompts`, send('hello')],
      [`/api/sessions/${id}`, { method: 'DELETE' }],
      ['/api/claude/chat', send('hello')],
      ['/api/chat', send('hello')],
      ['/api/sessions', { method: 'POST', body: JSON.stringify({ assistant: 'notes' }) }],
      ['/api/linkedin/connect', {}],
      [`/api/claude/sessions/${id}/terminal`, {}],
    ];
    for (const [path, init] of attempts) expect([path, (await call(path, init)).status]).toEqual([path, 403]);
    expect(door.engine.prompts).toEqual([]);
  });
});

describe('a key with chosen assistants', () => {
  it('creates, lists, finds and reads only their sessions [team.key.assistants]', async () => {
    const door = await start();
    const { secret } = await make(door, { assistants: ['kitchen'] });
    const call = using(door, secret);
    const own = { engine: 'messages-api' } as const;
    const notes = await door.gateway.createSession('sebastian', { ...own, assistant: 'notes' });
    const kitchen = await door.gateway.createSession('sebastian', { ...own, assistant: 'kitchen' });
    for (const session of [notes, kitchen])
      await (await door.post(`/api/sessions/${session.id}/prompts`, { message: 'find the parsley' })).text();
    const found = async () =>
      (await door.gateway.search('sebastian', 'parsley', 10)).flatMap(({ hits }) => hits);
    await until(async () => (await found()).length === 4);

    const idsOf = async (path: string) => {
      const { sessions } = (await (await call(path)).json()) as { sessions: { id: string }[] };
      return sessions.map(({ id }) => id);
    };
    expect(await idsOf('/api/sessions')).toEqual([kitchen.id]);
    expect(await idsOf('/api/sessions?q=parsley')).toEqual([kitchen.id]);
    expect((await call(`/api/sessions/${kitchen.id}`)).status).toBe(200);
    const unknown = await call(`/api/sessions/${crypto.randomUUID()}`);
    const hidden = await call(`/api/sessions/${notes.id}`);
    expect([hidden.status, await hidden.text()]).toEqual([404, await unknown.text()]);
    expect((await call('/api/claude/chat', send('hello'))).status).toBe(403);
    const created = await call('/api/sessions', {
      method: 'POST',
      body: JSON.stringify({ assistant: 'notes' }),
    });
    expect(created.status).toBe(403);
    for (const path of ['/api/claude/sessions', '/api/work-folders', '/api/usage', '/api/keys', '/metrics'])
      expect([path, (await call(path)).status]).toEqual([path, 403]);
  });

  it('must name assistants that exist', async () => {
    const door = await start();
    expect((await door.post('/api/keys', { label: 'x', assistants: ['chess'] })).status).toBe(400);
    await make(door, { assistants: ['claude-code'] });
  });
});

describe('managing keys', () => {
  it('is for oneself, and for others with the right to it [team.key.own]', async () => {
    const door = await start();
    door.people.update({ accounts: [account('sebastian', 'owner')] });
    const owners = await door.keys.create({ label: 'own', person: 'sebastian', readOnly: false });
    const members = await door.keys.create({ label: 'own', person: 'petra', readOnly: false });
    const asPetra = { headers: { 'x-notes-person': 'petra' } };
    expect((await listed(door, 'petra')).map(({ id }) => id)).toEqual([members.key.id]);
    const foreign = await door.fetch(`/api/keys/${owners.key.id}`, { ...asPetra, method: 'DELETE' });
    expect(foreign.status).toBe(404);
    const made = await door.post('/api/keys', { label: 'x', for: 'sebastian' }, asPetra.headers);
    expect(made.status).toBe(400);
    const own = await door.fetch(`/api/keys/${members.key.id}`, { ...asPetra, method: 'DELETE' });
    expect(own.status).toBe(204);
  });

  it('is not for keys, which could extend their own scope [team.key.no-escalation]', async () => {
    const door = await start();
    const { key, secret } = await make(door);
    const call = using(door, secret);
    const body = JSON.stringify({ label: 'more' });
    expect((await call('/api/keys', { method: 'POST', body })).status).toBe(403);
    expect((await call(`/api/keys/${key.id}`, { method: 'DELETE' })).status).toBe(403);
  });

  it('gives nobody a key for a person with an account [team.key.not-for-others]', async () => {
    const door = await start();
    const { secret } = await make(door, { for: 'petra' });
    expect((await using(door, secret)('/api/me')).status).toBe(200);
    door.people.update({ accounts: [account('petra', 'owner', Date.now() + 1)] });
    expect((await using(door, secret)('/api/me')).status).toBe(401);
    expect((await door.post('/api/keys', { label: 'x', for: 'petra' })).status).toBe(400);
  });

  it('is recorded, without secrets [team.audit.keys]', async () => {
    const door = await start();
    const { key, secret } = await make(door, { readOnly: true });
    await door.fetch(`/api/keys/${key.id}`, { method: 'DELETE' });
    const entries = await door.store.audit.search({ limit: 10 });
    expect(entries.map(({ action, person, subject }) => [action, person, subject])).toEqual([
      ['key.revoked', 'sebastian', 'a script'],
      ['key.created', 'sebastian', 'a script'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect(JSON.stringify(entries)).not.toContain(everybodysKey);
  });
});

describe('a guest', () => {
  it('uses only the assistants of their account, and never Claude Code [team.role.guest]', async () => {
    const door = await start();
    door.people.update({
      accounts: [
        account('sebastian', 'owner'),
        { person: 'gast', role: 'guest', assistants: ['kitchen', 'claude-code'], createdAt: 1 },
      ],
    });
    const { secret } = await door.keys.create({ label: 'own', person: 'gast', readOnly: false });
    const call = using(door, secret);
    expect((await call('/api/chat', send('hello'))).status).toBe(200);
    expect((await call('/api/claude/chat', send('hello'))).status).toBe(403);
    for (const path of ['/api/claude/sessions', '/api/work-folders', '/api/mcp', '/metrics'])
      expect([path, (await call(path)).status]).toEqual([path, 403]);
    const id = crypto.randomUUID();
    for (const path of [`/api/claude/sessions/${id}/ws`, `/api/claude/sessions/${id}/terminal`])
      expect([path, (await call(path)).status]).toEqual([path, 403]);
    expect((await call('/api/recipes')).status).toBe(200);
  });
});
