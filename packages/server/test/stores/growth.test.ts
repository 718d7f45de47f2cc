// What keeps a large database fast: long reads in another thread, an index by person, sums of the usage book, and the
// background work that fills them from a database of an earlier version.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noUsage } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Connection, openConnection } from '../../src/stores/sqlite/connection.ts';
import { migrate, migrations } from '../../src/stores/sqlite/migrations.ts';
import { openReader, openWriteThread } from '../../src/stores/sqlite/reader.ts';
import { createSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { refusal } from './conformance/rejection.ts';
import { aMessage, aSession, aTurn } from './fixtures.ts';

let folder: string;
let file: string;
const toClose: { close(): Promise<void> }[] = [];
const closing = <T extends { close(): Promise<void> }>(part: T): T => {
  toClose.unshift(part);
  return part;
};
const patience = { timeout: 60_000, interval: 50 };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
  file = join(folder, 'parley.db');
});

afterEach(async () => {
  for (const part of toClose.splice(0)) await part.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Takes much longer than the time limit. */
const slow = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000000)
  SELECT count(*) AS n FROM numbers`;
const one = 'SELECT 1 AS n';

describe('a long read', () => {
  it('does not block the server, and ends at its time limit [notes.session.long-reads]', async () => {
    const connection = closing(openConnection({ file }));
    const limits = { timeoutMs: 200, most: 10 };
    const reader = closing(openReader(connection, limits));
    const long = refusal(reader.all(slow, []));
    const behind = reader.all(one, []);
    // If it ran here, it would have ended before anything else could.
    let isOver = false;
    void long.then(() => {
      isOver = true;
    });
    await connection.write(() => connection.exec('CREATE TABLE meanwhile (n INTEGER)'));
    expect(isOver).toBe(false);
    expect(await long).toMatchObject({ code: 'unavailable', message: expect.stringContaining('too long') });
    limits.timeoutMs = 60_000;
    expect(await behind).toEqual([{ n: 1 }]);
  });

  it('does not let a write behind it happen twice', async () => {
    const words = join(folder, 'words.db');
    const setup = 'CREATE TABLE IF NOT EXISTS words (word TEXT)';
    const limits = { timeoutMs: 200, most: 10 };
    const writer = openWriteThread(words, setup, limits);
    const long = refusal(writer.all(slow, []));
    const written = writer.write([['INSERT INTO words VALUES (?)', ['once']]]);
    expect(await long).toMatchObject({ code: 'unavailable' });
    // A busy machine may take long for the write, too.
    limits.timeoutMs = 60_000;
    await written;
    // This waits for the first thread, which has finished the long read by then.
    await writer.close();
    const reader = closing(openWriteThread(words, setup, { timeoutMs: 60_000, most: 10 }));
    expect(await reader.all('SELECT word FROM words', [])).toEqual([{ word: 'once' }]);
  });

  it('is refused when too many wait', async () => {
    const connection = closing(openConnection({ file }));
    const reader = closing(openReader(connection, { timeoutMs: 60_000, most: 2 }));
    const accepted = [reader.all(one, []), reader.all(one, [])];
    expect(await refusal(reader.all(one, []))).toMatchObject({ code: 'busy' });
    expect(await Promise.all(accepted)).toEqual([[{ n: 1 }], [{ n: 1 }]]);
    expect(await reader.all(one, [])).toEqual([{ n: 1 }]);
  });

  it('cannot write, and reports what is wrong with its statement', async () => {
    const connection = closing(openConnection({ file }));
    await migrate(connection);
    const reader = closing(openReader(connection));
    expect(await refusal(reader.all('DELETE FROM sessions', []))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('read-only'),
    });
    expect(await refusal(reader.all('SELECT nonsense', []))).toMatchObject({ code: 'unavailable' });
  });
});

describe('a search', () => {
  it('shows whole words first, then beginnings; the newest first', async () => {
    const store = await opened();
    for (const text of ['an old plum', 'plumbing', 'a new plum', 'plums'])
      await converse(store, 'anna', text);
    const snippets = (await store.search('anna', 'plum', 10)).map(({ snippet }) => snippet);
    expect(snippets).toEqual(['a new plum', 'an old plum', 'plums', 'plumbing']);
    expect(await store.search('anna', 'plum', 3)).toHaveLength(3);
    expect(await store.search('anna', 'PLÚMB', 3)).toMatchObject([{ snippet: 'plumbing' }]);
    expect(await store.search('anna', 'p', 3)).toHaveLength(3);
    // The index divides this word, because its letter in the middle is too new.
    expect(await store.search('anna', 'plum\u{1e900}plum', 3)).toEqual([]);
  });

  it('finds every hit, however many there are', async () => {
    const store = await opened();
    for (let count = 0; count < 450; count += 1) await converse(store, 'anna', `plum ${count}`);
    expect(await store.search('anna', 'plum', 1_000)).toHaveLength(450);
    expect(await store.search('ben', 'plum', 1_000)).toEqual([]);
  });

  it('finds words anywhere in a very long answer', async () => {
    const store = await opened();
    const filler = 'lorem ipsum dolor '.repeat(5_000);
    await converse(store, 'anna', `${filler}saffron ${filler}vanilla`);
    for (const word of ['saffron', 'vanilla']) {
      const [hit] = await store.search('anna', word, 10);
      expect(hit?.snippet).toContain(word);
    }
  });
});

describe('a database of an earlier version', () => {
  it('is searchable and summed up again in the background [notes.session.data-of-earlier-versions]', async () => {
    const old = openConnection({ file });
    await migrate(old, migrations.slice(0, 9));
    const session = aSession();
    await old.write(() => fillOldTables(old, session.id, 500));
    await old.close();

    const before = closing(await reopened());
    // At once, even though nothing is indexed yet.
    await converse(before.store, 'anna', 'fresh quince');
    expect(await before.store.search('anna', 'quince', 10)).toHaveLength(1);
    expect(await before.store.usage.byDay(0)).toMatchObject([{ day: '2026-11-15', turns: 500 }]);
    const progress = 'SELECT oldest FROM search_progress';
    const oldest = () => (before.connection.prepare(progress).all([])[0] as { oldest: number }).oldest;
    await vi.waitUntil(() => oldest() < 400, patience);
    await before.store.close();

    const { store, connection } = closing(await reopened());
    const tables = "SELECT name FROM sqlite_schema WHERE name LIKE 'passage_index%'";
    await vi.waitUntil(() => connection.prepare(tables).all([]).length === 0, patience);
    expect(await store.search('anna', 'pear', 1_000)).toHaveLength(500);
    expect(await store.search('anna', 'fresh quince', 10)).toHaveLength(1);
    expect(await store.usage.byDay(0)).toMatchObject([{ day: '2026-11-15', turns: 500 }]);
    const [sum] = await store.usage.bySession('anna', 0, 5);
    expect(sum).toMatchObject({ sessionId: session.id, turns: 500 });
    expect(sum?.usage.costUsd).toBeCloseTo(5);
    await store.deleteSession(session.id);
    expect(await store.search('anna', 'pear', 1_000)).toEqual([]);
  });

  async function reopened() {
    const connection = openConnection({ file });
    await migrate(connection);
    const store = createSqliteStore(connection);
    return { connection, store, close: () => store.close() };
  }
});

describe('the usage book', () => {
  it('finds the most expensive sessions of a period among many that cost more before it', async () => {
    const store = await opened();
    const day = 86_400_000;
    const now = Date.UTC(2026, 10, 15, 12);
    const spend = (sessionId: string, at: number, costUsd: number) =>
      store.usage.record({
        at,
        person: 'anna',
        sessionId,
        engine: 'messages-api',
        door: 'web',
        model: 'claude',
        usage: { ...noUsage, costUsd },
      });
    for (let count = 0; count < 300; count += 1) {
      await spend(`old-${count}`, now - 10 * day, 100 + count);
      // Still in use, but cheap by now.
      if (count % 2 === 0) await spend(`old-${count}`, now, 0.001);
    }
    await spend('dear', now, 3);
    await spend('cheap', now, 1);
    const found = await store.usage.bySession('anna', now - day, 2);
    expect(found.map(({ sessionId, usage }) => [sessionId, usage.costUsd])).toEqual([
      ['dear', 3],
      ['cheap', 1],
    ]);
    expect((await store.usage.bySession('anna', 0, 1))[0]).toMatchObject({ sessionId: 'old-299' });
  });
});

async function opened(): Promise<SqliteStore> {
  const connection = openConnection({ file });
  await migrate(connection);
  return closing(createSqliteStore(connection));
}

async function converse(store: SqliteStore, person: string, text: string): Promise<void> {
  const session = aSession({ person });
  const turn = aTurn(session, { prompt: [] });
  await store.admit(turn, session, { newSession: true });
  await store.appendMessages(session.id, turn.id, [aMessage('assistant', text)]);
}

/** As the version before this index wrote them: one turn with its passage and its entry in the usage book, repeated. */
function fillOldTables(connection: Connection, sessionId: string, count: number): void {
  connection
    .prepare("INSERT INTO sessions VALUES (?, 'anna', 'messages-api', 'notes', 0, 0, '\"Old\"', '{}')")
    .run([sessionId]);
  for (let at = 1; at <= count; at += 1) {
    connection
      .prepare(
        `INSERT INTO turns VALUES (?, ?, 'anna', ?, 'web', 'completed', ?, 0, 0, 0, 0, '{}', NULL, '""', '[]', 1)`,
      )
      .run([`turn-${at}`, sessionId, `"key-${at}"`, at]);
    connection
      .prepare("INSERT INTO passages (turn_id, role, text) VALUES (?, 'user', ?)")
      .run([`turn-${at}`, `a pear for ${at}`]);
    connection
      .prepare(
        "INSERT INTO usage_entries VALUES (?, 'anna', ?, 'messages-api', 'web', 'claude', 1, 1, 0, 0, 0.01)",
      )
      .run([Date.UTC(2026, 10, 15), sessionId]);
  }
  connection.exec('INSERT INTO passage_index (rowid, text) SELECT id, text FROM passages');
}
