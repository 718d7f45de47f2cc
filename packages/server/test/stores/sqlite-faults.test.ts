// What the SQLite store does when its file, its disk or its rows are damaged.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connection, openConnection } from '../../src/stores/sqlite/connection.ts';
import { migrate, migrations } from '../../src/stores/sqlite/migrations.ts';
import { createSqliteStore, openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { WalSync } from '../../src/stores/sqlite/wal-sync.ts';
import { refusal } from './conformance/rejection.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from './fixtures.ts';

let folder: string;
let file: string;
const toClose: { close(): void | Promise<void> }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
  file = join(folder, 'parley.db');
});

afterEach(async () => {
  for (const one of toClose.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the database file', () => {
  it('is readable only by its owner, like a folder created for it', async () => {
    const nested = join(folder, 'new', 'deeper', 'parley.db');
    const store = closing(await openSqliteStore({ file: nested }));
    await store.createSession(aSession());
    expect(mode(nested)).toBe('600');
    expect(mode(`${nested}-wal`)).toBe('600');
    expect(mode(join(folder, 'new'))).toBe('700');
    expect(mode(join(folder, 'new', 'deeper'))).toBe('700');
  });

  it('becomes private when others could read it', async () => {
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    closing(await openSqliteStore({ file }));
    expect(mode(file)).toBe('600');
  });

  it('is refused when it is not a database, and stays unchanged', async () => {
    const text = 'Dear diary, this is certainly not a database. '.repeat(100);
    writeFileSync(file, text);
    const error = await refusal(openSqliteStore({ file }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain(file);
    expect(error.message).toContain('Move it away');
    expect(statSync(file).size).toBe(text.length);
  });

  it('is refused when it belongs to another program, whose tables stay unchanged', async () => {
    const foreign = closing(openConnection({ file }));
    foreign.exec('CREATE TABLE bookmarks (url TEXT)');
    const error = await refusal(openSqliteStore({ file }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('another program');
    expect(names(foreign)).toEqual(['bookmarks']);
  });

  it('is refused when it cannot be opened', async () => {
    mkdirSync(file);
    const error = await refusal(openSqliteStore({ file }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain(file);
  });
});

describe('migrations', () => {
  it('record their versions and run once', async () => {
    const connection = closing(openConnection({ file }));
    await migrate(connection);
    await migrate(connection);
    const applied = connection.prepare('SELECT version, name FROM migrations ORDER BY version').all([]);
    expect(applied).toEqual(migrations.map(({ version, name }) => ({ version, name })));
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });

  it('add what an older database lacks and keep its data', async () => {
    const session = aSession();
    const store = await openSqliteStore({ file });
    await store.createSession(session);
    await store.close();

    const connection = openConnection({ file });
    const next = {
      version: (migrations.at(-1)?.version ?? 0) + 1,
      name: 'next',
      sql: 'CREATE TABLE later (id TEXT)',
    };
    await migrate(connection, [...migrations, next]);
    expect(names(connection)).toContain('later');
    expect(await closing(createSqliteStore(connection)).getSession(session.id)).toEqual(session);
  });

  it('leave the database unchanged when a step fails', async () => {
    const connection = closing(openConnection({ file }));
    await migrate(connection);
    const before = names(connection);
    const version = (migrations.at(-1)?.version ?? 0) + 1;
    const steps = [
      ...migrations,
      { version, name: 'good', sql: 'CREATE TABLE good (id TEXT)' },
      { version: version + 1, name: 'bad', sql: 'CREATE TABLE also_good (id TEXT); CREATE TABBLE bad' },
    ];
    await expect(migrate(connection, steps)).rejects.toThrow(ParleyError);
    expect(names(connection)).toEqual(before);
    await migrate(connection);
  });

  it('refuse a database of a newer version with a sentence', async () => {
    const connection = closing(openConnection({ file }));
    await migrate(connection, [...migrations, { version: 99, name: 'of tomorrow', sql: '' }]);
    const error = await refusal(openSqliteStore({ file }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('newer version of Parley');
  });
});

describe('a database that accepts no writes', () => {
  it.each([
    ['full', 'disk', (connection: Connection) => connection.exec('PRAGMA max_page_count = 1')],
    ['read-only', 'read-only', (connection: Connection) => connection.exec('PRAGMA query_only = ON')],
  ])('refuses writes when it is %s, keeps its data, and continues afterwards', async (_, word, harm) => {
    const connection = openConnection({ file });
    await migrate(connection);
    const store = closing(createSqliteStore(connection));
    const session = aSession();
    const turn = aTurn(session);
    await store.admit(turn, session, { newSession: true });
    await store.appendMessages(session.id, turn.id, [aMessage('assistant', 'Thyme')]);
    await store.appendEvents(deltas(session.id, 1, 10));

    harm(connection);
    const long = 'long '.repeat(100_000);
    const fresh = aSession();
    const refused = [
      store.admit(aTurn(fresh, { prompt: [{ type: 'text', text: long }] }), fresh, { newSession: true }),
      store.appendMessages(session.id, turn.id, [aMessage('user', 'Short'), aMessage('assistant', long)]),
      store.appendEvents([...deltas(session.id, 11, 5000)]),
      store.updateTurn(turn.id, { status: 'running', text: long }),
    ];
    for (const call of refused) {
      const error = await refusal(call);
      expect(error.code).toBe('unavailable');
      expect(error.message).toContain(word);
    }
    expect(await store.getSession(fresh.id)).toBeUndefined();
    expect(await store.listTurns(session.id)).toEqual([turn]);
    expect(await allMessages(store, session.id)).toEqual([aMessage('assistant', 'Thyme')]);
    expect(await store.eventsAfter(session.id, 0, 100)).toEqual(deltas(session.id, 1, 10));
    expect(await store.search('anna', 'short', 10)).toEqual([]);

    connection.exec('PRAGMA max_page_count = 1000000; PRAGMA query_only = OFF');
    await store.updateTurn(turn.id, { status: 'running' });
    await store.appendEvents(deltas(session.id, 11, 20));
    expect(await store.lastSeq(session.id)).toBe(20);
  });

  it('refuses a write while another process holds the lock, and writes afterwards', async () => {
    const store = closing(await openSqliteStore({ file, busyTimeoutMs: 50 }));
    const other = closing(openConnection({ file }));
    other.exec('BEGIN IMMEDIATE');
    const session = aSession();
    const error = await refusal(store.createSession(session));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('another process');
    other.exec('ROLLBACK');
    await store.createSession(session);
    expect(await store.getSession(session.id)).toEqual(session);
  });
});

describe('a damaged row', () => {
  it('is one whose settings have types that its engine does not know', async () => {
    const connection = openConnection({ file });
    await migrate(connection);
    const store = closing(createSqliteStore(connection));
    const [wrong, newer] = [aSession(), aSession()];
    for (const session of [wrong, newer]) await store.createSession(session);
    connection.exec(`
      UPDATE sessions SET settings = '{"model":7}' WHERE id = '${wrong.id}';
      UPDATE sessions SET settings = '{"unknown":[7],"model":"opus"}' WHERE id = '${newer.id}';
    `);

    await expectNamed(store.getSession(wrong.id), wrong.id, 'settings');
    expect((await store.getSession(newer.id))?.settings).toEqual({ unknown: [7], model: 'opus' });
  });

  it('is named in the error of calls that need it, and affects no others', async () => {
    const connection = openConnection({ file });
    await migrate(connection);
    const store = closing(createSqliteStore(connection));
    const [torn, whole] = [aSession(), aSession({ person: 'ben' })];
    const [tornTurn, wholeTurn] = [aTurn(torn), aTurn(whole)];
    for (const [session, turn] of [
      [torn, tornTurn],
      [whole, wholeTurn],
    ] as const) {
      await store.admit(turn, session, { newSession: true });
      await store.appendMessages(session.id, turn.id, [aMessage('assistant', 'Sage')]);
      await store.appendEvents(deltas(session.id, 1, 3));
    }
    connection.exec(`
      UPDATE sessions SET settings = '{"mod' WHERE id = '${torn.id}';
      UPDATE turns SET prompt = '' WHERE id = '${tornTurn.id}';
      UPDATE messages SET content = '[{"type":' WHERE session_id = '${torn.id}';
      UPDATE event_batches SET events = '[{' WHERE session_id = '${torn.id}';
    `);

    await expectNamed(store.getSession(torn.id), torn.id, 'settings');
    await expectNamed(store.getTurn(tornTurn.id), tornTurn.id, 'prompt');
    await expectNamed(allMessages(store, torn.id), 'message 1', 'content');
    await expectNamed(store.eventsAfter(torn.id, 0, 10), torn.id, 'events');

    expect(await store.getSession(whole.id)).toEqual(whole);
    expect(await store.listTurns(whole.id)).toEqual([wholeTurn]);
    expect(await allMessages(store, whole.id)).toEqual([aMessage('assistant', 'Sage')]);
    expect(await store.eventsAfter(whole.id, 0, 10)).toEqual(deltas(whole.id, 1, 3));
    expect(await store.deleteSession(torn.id)).toBe(true);
    expect(await store.unfinishedTurns()).toEqual([wholeTurn]);
  });
});

describe('writes at the same time', () => {
  it('succeed although one of them fails', async () => {
    const connection = openConnection({ file });
    await migrate(connection);
    const store = closing(createSqliteStore(connection));
    const [first, second, third] = [aSession(), aSession(), aSession()];
    const settled = await Promise.allSettled([
      store.createSession(first),
      store.admit(aTurn(second), second, { newSession: true }),
      store.createSession(first),
      connection.write(() => {
        connection.exec(`DELETE FROM sessions`);
        throw new Error('half-way');
      }),
      store.createSession(third),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    for (const session of [first, second, third]) {
      expect(await store.getSession(session.id)).toEqual(session);
    }
    expect(await store.listTurns(second.id)).toHaveLength(1);
  });

  it('are stored when the store is closed right after them', async () => {
    const store = await openSqliteStore({ file });
    const session = aSession();
    await Promise.all([store.createSession(session), store.close()]);
    const again = closing(await openSqliteStore({ file }));
    expect(await again.getSession(session.id)).toEqual(session);
  });
});

describe('the full-text index', () => {
  it('contains exactly the stored text after turns were added and sessions deleted', async () => {
    const connection = openConnection({ file });
    await migrate(connection);
    const store = closing(createSqliteStore(connection));
    for (let index = 0; index < 20; index += 1) {
      const session = aSession();
      const turn = aTurn(session);
      await store.admit(turn, session, { newSession: true });
      await store.appendMessages(session.id, turn.id, [aMessage('assistant', `parsley ${index}`)]);
      if (index % 3 === 0) await store.deleteSession(session.id);
    }
    expect(await store.search('anna', 'parsley', 100)).toHaveLength(13);
    const { sessions } = await store.listSessions('anna', { limit: 5 });
    for (const { id } of sessions) await store.deleteSession(id);
    const session = aSession();
    await store.admit(aTurn(session, { prompt: [{ type: 'text', text: 'Parsley' }] }), session, {
      newSession: true,
    });
    expect(await store.search('anna', 'parsley', 100)).toHaveLength(9);
    // SQLite checks the index, and fails when it is damaged.
    connection.exec("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')");
    const indexed = 'SELECT id % (1 << 36) AS id FROM passage_words_docsize ORDER BY 1';
    expect(connection.prepare(indexed).all([])).toEqual(
      connection.prepare('SELECT id FROM passages ORDER BY id').all([]),
    );
  });
});

describe('durability', () => {
  it('uses a log that survives a crash of the process', () => {
    const connection = closing(openConnection({ file }));
    expect(connection.prepare('PRAGMA synchronous').all([])).toEqual([{ synchronous: 1 }]);
    expect(connection.prepare('PRAGMA journal_mode').all([])).toEqual([{ journal_mode: 'wal' }]);
    expect(connection.prepare('PRAGMA foreign_keys').all([])).toEqual([{ foreign_keys: 1 }]);
  });

  it('waits for the disk exactly in the calls that the port calls durable', async () => {
    const connection = openConnection({ file });
    await migrate(connection);
    let syncs = 0;
    const store = closing(
      createSqliteStore({
        ...connection,
        async synced() {
          await connection.synced();
          syncs += 1;
        },
      }),
    );
    const session = aSession();
    const turn = aTurn(session);
    await store.createSession(session);
    await store.admit(turn, session, { newSession: false });
    await store.updateTurn(turn.id, { status: 'running' });
    await store.reorderTurns(session.id, [turn.id]);
    await store.appendMessages(session.id, turn.id, [aMessage('user', 'Hello')]);
    await store.deleteSession(session.id);
    expect(syncs).toBe(6);
    await store.together((unit) => {
      unit.updateTurn(turn.id, { status: 'completed' });
    });
    expect(syncs).toBe(7);
    await store.appendEvents(deltas(session.id, 1, 2));
    expect(syncs).toBe(7);
  });

  it('serves all waiting callers with few syncs, and reports a failing disk to each', async () => {
    const wal = new WalSync(`${file}-wal`);
    await expect(wal.sync()).rejects.toThrow('ENOENT');
    writeFileSync(`${file}-wal`, 'log');
    await Promise.all(Array.from({ length: 100 }, () => wal.sync()));
    await wal.close();
  });
});

function closing<T extends { close(): void | Promise<void> }>(opened: T): T {
  toClose.push(opened);
  return opened;
}

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function names(connection: Connection): unknown[] {
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all([]);
  return (tables as { name: string }[]).map(({ name }) => name);
}

async function expectNamed(call: Promise<unknown>, row: string, column: string): Promise<void> {
  const error = await refusal(call);
  expect(error.code).toBe('internal');
  expect(error.message).toContain(row);
  expect(error.message).toContain(column);
}
