// A home with something in every table moves to a real PostgreSQL.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NewRecipe } from '@parley/recipe-vault';
import { runSql } from '@parley/stand-ins/postgres';
import Database from 'libsql';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type MoveStep, moveHome } from '../../src/app/move-home.ts';
import { databaseFile, linkedInFolder, machineFile, settingsFile } from '../../src/config/files.ts';
import { writeSettingsFile } from '../../src/config/settings-file.ts';
import { createSharedRecipes } from '../../src/stores/postgres/recipes.ts';
import { createSealedStore } from '../../src/stores/postgres/sealed.ts';
import { createServerRegistry } from '../../src/stores/postgres/servers.ts';
import { createSettingsStore } from '../../src/stores/postgres/settings.ts';
import { openPostgresStore, type PostgresStore } from '../../src/stores/postgres/store.ts';
import { movedTables } from '../../src/stores/sql/moving.ts';
import { lockFolder } from '../../src/stores/sqlite/folder-lock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { Sealed, sealedFiles } from '../../src/tools/linkedin/sealed.ts';
import { refusal } from '../stores/conformance/rejection.ts';
import { type FilledHome, filledHome, searched } from '../stores/filled-home.ts';
import { allMessages, aTurn } from '../stores/fixtures.ts';
import { usePostgres } from '../stores/postgres-database.ts';

const postgres = usePostgres();
let home: FilledHome;
let url: string;

beforeEach(async () => {
  home = await filledHome();
  url = await postgres().createDatabase();
});

const sealingKey = Buffer.alloc(32, 's');

function move(onProgress: (step: MoveStep) => void = () => undefined, signal = new AbortController().signal) {
  return moveHome({ home, url, sealingKey, signal, onProgress });
}

/** Stops the move as soon as `isThere`. */
async function moveUntil(isThere: (step: MoveStep) => boolean): Promise<void> {
  const stop = new AbortController();
  await expect(move((step) => isThere(step) && stop.abort(), stop.signal)).rejects.toThrow('abort');
}

async function open(): Promise<PostgresStore> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}

function filesOfHome(): Record<string, string> {
  const kept = readdirSync(home.dataDir).filter((name) =>
    /^(parley\.db|recipes\.db|sessions\.json)$/.test(name),
  );
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(home.dataDir, name)))
      .digest('hex');
  return Object.fromEntries(kept.map((name) => [name, digest(name)]));
}

describe('parley migrate', { timeout: 180_000 }, () => {
  it('moves everything, so that servers continue with it, and leaves the home unchanged [cluster.migrate.everything]', async () => {
    const before = filesOfHome();
    const result = await move();
    expect(result).toMatchObject({ isNew: true, pinned: 1, unreadableChats: 1 });
    expect(filesOfHome()).toEqual(before);
    expect(await move()).toMatchObject({ isNew: false });

    const [from, to] = [await openSqliteStore({ file: databaseFile(home) }), await open()];
    onTestFinished(() => from.close());
    const { session, cutOff, code } = home;
    for (const { id } of [session, cutOff, code]) {
      expect(await to.getSession(id)).toEqual(await from.getSession(id));
      expect(await to.listTurns(id)).toEqual(await from.listTurns(id));
      expect(await to.eventsAfter(id, 0, 100)).toEqual(await from.eventsAfter(id, 0, 100));
      expect(await allMessages(to, id)).toEqual(await allMessages(from, id));
    }
    expect(await to.accounts.list()).toEqual(await from.accounts.list());
    const spent = async (store: typeof from) =>
      (await store.budgets.spent('2026-11-17')).toSorted((one, other) =>
        one.scope.localeCompare(other.scope),
      );
    expect(await spent(to)).toEqual(await spent(from));
    expect(await to.storedBytes('anna')).toBe(await from.storedBytes('anna'));
    const hits = async (store: PostgresStore | typeof from) =>
      (await store.search('anna', searched, 10)).map(({ turnId, snippet }) => [turnId, snippet]);
    expect(await hits(to)).toHaveLength(3);
    // Its index may still be behind.
    await vi.waitFor(async () => expect(await hits(from)).toEqual(await hits(to)), { timeout: 60_000 });
    expect(await to.chats.find(home.chat)).toBe(session.id);
    expect((await createSharedRecipes(to.database).list()).total).toBe(6);

    // New rows get new numbers.
    const turn = aTurn(session);
    expect((await to.admit(turn, session, { newSession: false })).fresh).toBe(true);
    expect((await to.listTurns(session.id)).at(-1)?.id).toBe(turn.id);
    await to.appendMessages(session.id, turn.id, [{ role: 'user', content: [] }]);

    const registry = createServerRegistry(to);
    const server = { id: 's', machine: 'elsewhere', url: 'http://127.0.0.1:1' };
    await registry.renew(server);
    const claim = (id: string) => registry.claim(server, id, { pinned: false });
    expect(await claim(cutOff.id)).toMatchObject({ start: 'abandoned' });
    expect(await claim(code.id)).toEqual({
      absentMachine: readFileSync(machineFile(home), 'utf8').trim(),
    });
  });

  it('moves settings of the app and LinkedIn logins, which get another key [cluster.migrate.files]', async () => {
    const stored = { version: 1, revision: 3, settings: { model: { value: 'm', revision: 3 } } } as const;
    await writeSettingsFile(settingsFile(home), stored);
    const files = new Sealed(sealedFiles(linkedInFolder(home)));
    await files.write('anna', 'the login of anna');
    writeFileSync(join(linkedInFolder(home), 'ben.sealed'), 'damaged');
    expect(await move()).toMatchObject({ isNew: true, leftLogins: ['ben'] });
    const { database } = await open();
    expect(JSON.parse((await createSettingsStore(database).read()) ?? '')).toEqual(stored);
    const shared = new Sealed(createSealedStore(database, sealingKey));
    expect([await shared.read('anna'), await shared.read('ben')]).toEqual(['the login of anna', undefined]);
    expect(await files.read('anna')).toBe('the login of anna');

    url = await postgres().createDatabase();
    const withoutSecret = { home, url, signal: new AbortController().signal, onProgress: () => undefined };
    expect((await moveHome(withoutSecret)).leftLogins.toSorted()).toEqual(['anna', 'ben']);
  });

  it('knows every table of SQLite and every column of PostgreSQL [cluster.migrate.everything]', async () => {
    await move();
    const db = new Database(databaseFile(home));
    onTestFinished(() => void db.close());
    const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all([]) as {
      name: string;
    }[];
    const derived = /^(sqlite_|passage_|search_|stored_|usage_progress|migrations)/;
    const own = rows.map(({ name }) => name).filter((name) => !derived.test(name));
    expect(movedTables.map(({ name }) => name).toSorted()).toEqual(own.toSorted());
    for (const name of own) {
      const [there] = db.prepare(`SELECT count(*) AS rows FROM ${name}`).all([]) as { rows: number }[];
      const [here] = await runSql(url, `SELECT count(*)::int AS rows FROM ${name}`);
      expect({ name, ...here }).toEqual({ name, ...there });
      expect({ name, rows: there?.rows }).not.toEqual({ name, rows: 0 });
    }
  });

  it('continues where it was interrupted, and no server starts before it is done [cluster.migrate.continues]', async () => {
    await moveUntil(({ doing, table, done }) => doing === 'copying' && table === 'messages' && done > 0);
    expect((await refusal(openPostgresStore({ url }))).message).toContain('parley migrate again');
    const steps: MoveStep[] = [];
    const stop = new AbortController();
    const isComparing = ({ doing, table }: MoveStep) => doing === 'comparing' && table === 'turns';
    await expect(
      move((step) => {
        steps.push(step);
        if (isComparing(step)) stop.abort();
      }, stop.signal),
    ).rejects.toThrow('abort');
    expect(steps[0]).toMatchObject({ table: 'messages', done: expect.any(Number) });
    expect(steps[0]?.done).toBeGreaterThan(0);
    expect(await move()).toMatchObject({ isNew: true });
    await open();
  });

  it('finds rows that differ, are missing or should not be there, and does not finish [cluster.migrate.verifies]', async () => {
    await moveUntil(({ doing }) => doing === 'comparing');
    for (const [sql, words, undo] of [
      [
        'UPDATE budget_rules SET "limit" = "limit" + 1',
        /budget_rules r differs in limit/,
        'UPDATE budget_rules SET "limit" = "limit" - 1',
      ],
      [
        "INSERT INTO channel_marks VALUES ('!', '!', 1)",
        /channel_marks ! ! is not in the home/,
        "DELETE FROM channel_marks WHERE channel = '!'",
      ],
      [
        "INSERT INTO chats VALUES ('~', 'x', 'y')",
        /chats has 1 more rows than the home/,
        "DELETE FROM chats WHERE chat = '~'",
      ],
      ['DELETE FROM usage_entries', /usage_entries 1 is missing/, 'SELECT 1'],
    ] as const) {
      await runSql(url, sql);
      expect((await refusal(move())).message).toMatch(words);
      await runSql(url, undo);
    }
    expect((await refusal(openPostgresStore({ url }))).message).toContain('parley migrate again');
  });

  it('refuses a database with anything else, a home in use, and one that has changed [cluster.migrate.refuses]', async () => {
    const lock = await lockFolder(home.dataDir);
    expect((await refusal(move())).message).toContain('Stop it first');
    await lock.close();
    await moveUntil(({ table, done }) => table === 'turns' && done > 0);
    utimesSync(databaseFile(home), new Date(), new Date(0));
    expect((await refusal(move())).message).toContain('this home was used since its move began');

    url = await postgres().createDatabase();
    await runSql(url, 'CREATE TABLE customers (id INTEGER)');
    expect((await refusal(move())).message).toContain('belongs to another program');
    url = await postgres().createDatabase();
    await createSharedRecipes((await open()).database).create(NewRecipe.parse({ title: 'Soup' }));
    expect((await refusal(move())).message).toContain('already has data of another Parley (recipes)');
    url = await postgres().createDatabase();
    await createServerRegistry(await open()).renew({ id: 's', machine: 'm', url: '' });
    expect((await refusal(move())).message).toContain('A server is using the database');

    url = await postgres().createDatabase();
    const db = new Database(databaseFile(home));
    db.exec('DELETE FROM migrations WHERE version > 9');
    db.close();
    expect((await refusal(move())).message).toContain('Start this version with it once');
    writeFileSync(databaseFile(home), 'not a database'.repeat(100));
    expect((await refusal(move())).message).toContain('is not a Parley database');
    home = { ...home, dataDir: join(home.dataDir, 'nowhere') };
    expect((await refusal(move())).message).toContain('There is no SQLite database');
  });
});
