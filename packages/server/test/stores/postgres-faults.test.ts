// What goes wrong with a database server: it is away, it is the wrong one, its connections break, others write to it.
import { noUsage, ParleyError } from '@parley/protocol';
import { runSql } from '@parley/stand-ins/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLost } from '../../src/stores/postgres/failures.ts';
import { migrations } from '../../src/stores/postgres/migrations.ts';
import { openPostgresStore, type PostgresStore } from '../../src/stores/postgres/store.ts';
import { first, run } from '../../src/stores/sql/work.ts';
import { refusal } from './conformance/rejection.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from './fixtures.ts';
import { usePostgres } from './postgres-database.ts';

const postgres = usePostgres();
const toClose: { close(): Promise<void> }[] = [];
let url: string;

beforeEach(async () => {
  url = await postgres().createDatabase();
});
afterEach(async () => {
  for (const part of toClose.splice(0)) await part.close();
});

async function open(address = url): Promise<PostgresStore> {
  const store = await openPostgresStore({ url: address });
  toClose.push(store);
  return store;
}

it('counts a name that cannot be looked up for a moment as a lost connection', () => {
  const failed = Object.assign(new Error('getaddrinfo EAI_AGAIN db'), { code: 'EAI_AGAIN' });
  expect(isLost(failed)).toBe(true);
});

describe('a server that starts', () => {
  it.each([
    ['nobody listens', () => 'postgres://parley:x@127.0.0.1:1/parley', 'does not answer'],
    ['the password is wrong', () => url.replace('loopback-only', 'wr0ng-pass'), 'refuses the user “parley”'],
    ['there is no such database', () => postgres().url('nowhere'), 'createdb nowhere'],
  ])('says what to do when %s, without the password [cluster.store.messages]', async (_, address, words) => {
    const error = await refusal(open(address()));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/wr0ng-pass|loopback-only/);
  });

  it('leaves a database of another program alone [cluster.store.messages]', async () => {
    await runSql(url, 'CREATE TABLE customers (id INTEGER)');
    expect((await refusal(open())).message).toContain('belongs to another program');
    expect(await runSql(url, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()')).toEqual([
      { tablename: 'customers' },
    ]);
  });

  it('refuses a schema that is newer than it knows [cluster.store.messages]', async () => {
    const later = { version: 99, name: 'of tomorrow', sql: 'CREATE TABLE later (id TEXT)' };
    toClose.push(await openPostgresStore({ url }, [...migrations, later]));
    const error = await refusal(open());
    expect(error.message).toContain('newer version of Parley (schema 99');
  });

  it('refuses a database that accepts no writes [cluster.store.messages]', async () => {
    await (await open()).close();
    const database = new URL(url).pathname.slice(1);
    await runSql(postgres().url(), `ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    expect((await refusal(open())).message).toContain('read-only');
    const empty = new URL(await postgres().createDatabase());
    await runSql(
      postgres().url(),
      `ALTER DATABASE ${empty.pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    expect((await refusal(open(empty.href))).message).toContain('read-only');
  });

  it('migrates once, even if several start at once, and leaves nothing of a step that fails', async () => {
    await Promise.all([open(), open(), open()]);
    expect(await runSql(url, 'SELECT version FROM parley_migrations ORDER BY 1')).toEqual(
      migrations.map(({ version }) => ({ version })),
    );
    const version = (migrations.at(-1)?.version ?? 0) + 1;
    const steps = [
      ...migrations,
      { version, name: 'good', sql: 'CREATE TABLE good (id TEXT)' },
      { version: version + 1, name: 'bad', sql: 'CREATE TABBLE bad' },
    ];
    await expect(openPostgresStore({ url }, steps)).rejects.toThrow(ParleyError);
    expect(await runSql(url, "SELECT to_regclass('good') AS good")).toEqual([{ good: null }]);
  });
});

describe('a connection that breaks', () => {
  it('is replaced, and nothing is lost or written twice [cluster.store.reconnects]', async () => {
    const store = await open();
    const session = aSession();
    await store.createSession(session);
    const database = new URL(url).pathname.slice(1);
    const breakAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`;
    const admitted: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const turns = Array.from({ length: 10 }, () => aTurn(session));
      const from = round * 3 + 1;
      await Promise.all([
        ...turns.map((turn) => store.admit(turn, session, { newSession: false })),
        store.appendEvents(deltas(session.id, from, from + 2)),
        store.getSession(session.id),
        runSql(postgres().url(), breakAll),
      ]);
      admitted.push(...turns.map(({ id }) => id));
    }
    expect((await store.listTurns(session.id)).map(({ id }) => id).toSorted()).toEqual(admitted.toSorted());
    expect(await store.eventsAfter(session.id, 0, 1_000)).toEqual(deltas(session.id, 1, 30));
  });

  it('waits while the database restarts, and refuses with a sentence while it is away [cluster.store.reconnects]', async () => {
    const store = await open();
    const session = aSession();
    await store.createSession(session);
    await postgres().kill();
    const waiting = store.admit(aTurn(session, { key: 'during' }), session, { newSession: false });
    await postgres().start();
    expect((await waiting).fresh).toBe(true);
    expect((await store.findAdmission('anna', 'during'))?.session.id).toBe(session.id);

    const impatient = await openPostgresStore({ url, patienceMs: 50 });
    toClose.push(impatient);
    await postgres().kill();
    for (const call of [
      impatient.getSession(session.id),
      impatient.updateSession(session.id, { title: 'x' }),
    ])
      expect(await refusal(call)).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('PostgreSQL is running'),
      });
    await postgres().start();
    expect(await store.getSession(session.id)).toEqual(session);
  });
});

describe('several servers', () => {
  it('admit each key once [cluster.store.shared]', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const session = aSession();
    await stores[0]?.createSession(session);
    for (let round = 0; round < 10; round += 1) {
      const key = `key ${round}`;
      const admissions = await Promise.all(
        stores.flatMap((store) =>
          [1, 2].map(() => store.admit(aTurn(session, { key }), session, { newSession: false })),
        ),
      );
      expect(admissions.filter(({ fresh }) => fresh)).toHaveLength(1);
      expect(new Set(admissions.map(({ turn }) => turn.id)).size).toBe(1);
    }
  });

  it('keep an owner, and notice what another has changed [cluster.store.shared]', async () => {
    const [one, other] = [await open(), await open()];
    const account = { role: 'owner' as const, assistants: [], createdAt: 1 };
    for (const person of ['anna', 'ben']) await one.accounts.create({ person, ...account }, {});
    const before = await other.dataVersion();
    const removals = await Promise.allSettled([one.accounts.remove('anna'), other.accounts.remove('ben')]);
    expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await one.accounts.list()).toHaveLength(1);
    expect(await other.dataVersion()).not.toBe(before);
  });

  it('add up what everybody spends [cluster.store.shared]', async () => {
    const stores = [await open(), await open()] as const;
    const at = Date.UTC(2026, 10, 17);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? stores[0] : stores[1]).usage.record({
          at,
          person: index % 3 === 0 ? 'anna' : 'ben',
          sessionId: `session ${index % 5}`,
          engine: 'messages-api',
          door: 'http',
          model: index % 2 === 0 ? 'big' : 'small',
          usage: { ...noUsage, inputTokens: 10, costUsd: 1 },
        }),
      ),
    );
    const spent = await stores[0].budgets.spent('2026-11-17');
    expect(spent.find(({ scope }) => scope === 'everybody')?.day).toEqual({ usd: 60, tokens: 600 });
  });

  it('know which chat is in which session [cluster.store.chats]', async () => {
    const [one, other] = [await open(), await open()];
    const [first, second] = [aSession().id, aSession().id];
    await one.chats.put('telegram:1', first, '2026-11-17T10:00:00.000Z');
    await one.chats.put('telegram:2', first, '2026-11-17T10:00:00.000Z');
    await other.chats.put('telegram:1', second, '2026-11-17T10:00:01.000Z');
    await other.chats.move('telegram:1', 'telegram:2');
    await other.chats.move('telegram:nowhere', 'telegram:2');
    expect([await one.chats.find('telegram:1'), await one.chats.find('telegram:2')]).toEqual([
      undefined,
      second,
    ]);
    await one.chats.remove('telegram:2');
    expect(await other.chats.find('telegram:2')).toBeUndefined();
  });

  it('write nothing that a fence refuses [cluster.store.fences]', async () => {
    const store = await open();
    const [session, other] = [aSession(), aSession()];
    const turn = aTurn(session);
    await store.admit(turn, session, { newSession: true });
    const fenced = store.fenced(function* () {
      const found = yield* first<{ title: string }>('SELECT title FROM sessions WHERE id = ?', [session.id]);
      if (found?.title !== '"Mine"') throw new ParleyError('conflict', 'Not mine.');
    });
    const writes = () => [
      fenced.together((unit) => {
        unit.appendEvents(deltas(session.id, 1, 2));
        unit.appendMessages(session.id, turn.id, [aMessage('assistant', 'Hello')]);
      }),
      fenced.admit(aTurn(other), other, { newSession: true }),
      fenced.updateTurn(turn.id, { status: 'running' }),
      fenced.appendEvents(deltas(session.id, 3, 4)),
    ];
    for (const write of writes()) expect((await refusal(write)).code).toBe('conflict');
    expect(await store.getTurn(turn.id)).toEqual(turn);
    expect(await store.getSession(other.id)).toBeUndefined();
    expect([await store.lastSeq(session.id), await allMessages(store, session.id)]).toEqual([0, []]);
    await store.updateSession(session.id, { title: 'Mine' });
    await Promise.all(writes());
    expect(await store.lastSeq(session.id)).toBe(4);
  });
});

describe('writes at the same time', () => {
  it('succeed although one of them fails', async () => {
    const store = await open();
    const [one, two, three] = [aSession(), aSession(), aSession()];
    const settled = await Promise.allSettled([
      store.createSession(one),
      store.admit(aTurn(two), two, { newSession: true }),
      store.createSession(one),
      store.database.relaxed(function* () {
        yield* run('DELETE FROM sessions');
        throw new Error('half-way');
      }),
      store.createSession(three),
    ]);
    const outcomes = settled.map(({ status }) => status === 'fulfilled');
    expect(outcomes).toEqual([true, true, false, false, true]);
    for (const session of [one, two, three]) expect(await store.getSession(session.id)).toEqual(session);
  });

  it('are stored when the store is closed right after them', async () => {
    const store = await openPostgresStore({ url });
    const session = aSession();
    await Promise.all([store.createSession(session), store.close()]);
    expect(await (await open()).getSession(session.id)).toEqual(session);
  });
});

it('counts what is stored for each person, however it is added and removed [team.storage.counted]', async () => {
  const store = await open();
  const session = aSession();
  const turn = aTurn(session, { prompt: [{ type: 'text', text: 'x'.repeat(9_000) }] });
  await store.admit(turn, session, { newSession: true });
  const admitted = await store.storedBytes('anna');
  expect(admitted).toBeGreaterThan(9_000);
  await store.updateTurn(turn.id, { text: 'x'.repeat(500) });
  expect(await store.storedBytes('anna')).toBe(admitted + 500);
  await store.appendEvents(deltas(session.id, 1, 1_000));
  const most = await store.storedBytes('anna');
  await store.pruneEvents(session.id, 500);
  expect(await store.storedBytes('anna')).toBeLessThan(most - 20_000);
  await store.deleteSession(session.id);
  expect(await store.storedBytes('anna')).toBe(0);
});
