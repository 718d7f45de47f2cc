// A database of every earlier version opens in this one with everything that was in it. For a new migration,
// PARLEY_KEEP_SCHEMAS=1 adds the file of its version.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../src/stores/sqlite/migrations.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { keepSchemas, kept, keptSchemas, unpackSchema } from './schemas/old-database.ts';

if (process.env['PARLEY_KEEP_SCHEMAS'] === '1') await keepSchemas(tempFolder(() => undefined));
const versions = keptSchemas();
const newest = migrations.at(-1)?.version ?? 0;

it('are kept for every version so far', () => {
  expect(versions).toEqual(versions.map((_, index) => index + 1));
  expect(versions.length).toBeGreaterThanOrEqual(18);
});

it.each(versions)('schema %i keeps its data in this version [team.ship.migrations]', async (version) => {
  const file = join(tempFolder(), 'parley.db');
  unpackSchema(version, file);
  const before = rowsOf(file);
  const store = await openSqliteStore({ file });
  try {
    expect(await store.getSession(kept.session)).toMatchObject({
      title: 'Buns for Sunday',
      person: kept.person,
    });
    expect(await store.getTurn(kept.turn)).toMatchObject({ status: 'completed', text: 'With cinnamon.' });
    await expect
      .poll(async () => (await store.search(kept.person, kept.word, 10)).map(({ sessionId }) => sessionId))
      .toEqual([kept.session]);
  } finally {
    await store.close();
  }
  const after = rowsOf(file);
  for (const [table, rows] of before) {
    const now = after.get(table);
    if (!now || table === 'migrations') continue;
    // Columns that were added have their default.
    const expected = now.map((row, index) => ({ ...row, ...rows[index] }));
    expect({ table, count: now.length, rows: now }).toEqual({ table, count: rows.length, rows: expected });
  }
});

it('is copied before its tables change, three times at most, for its owner only [team.ship.copies]', async () => {
  const folder = tempFolder();
  const copies = join(folder, 'copies');
  for (const version of [14, 15, 16, 17]) {
    const file = join(folder, 'parley.db');
    rmSync(file, { force: true });
    unpackSchema(version, file);
    await (await openSqliteStore({ file })).close();
    // Nothing changes a second time, so nothing is copied.
    await (await openSqliteStore({ file })).close();
  }
  const names = readdirSync(copies);
  expect(names).toHaveLength(3);
  expect(names.map((name) => /schema-(\d+)/.exec(name)?.[1])).toEqual(expect.arrayContaining(['16', '17']));
  for (const name of names) expect(statSync(join(copies, name)).mode & 0o777).toBe(0o600);
  const copy = join(copies, names.find((name) => name.includes('schema-17')) ?? '');
  expect(rowsOf(copy).get('sessions')).toHaveLength(1);
  expect(rowsOf(copy).get('migrations')).toHaveLength(17);
  expect(newest).toBeGreaterThan(17);
});

/** The rows of all tables that are neither indexes nor sums, which this version makes again. */
function rowsOf(file: string): ReadonlyMap<string, readonly object[]> {
  const db = new Database(file);
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all([]) as { name: string }[];
  const own = tables.filter(
    ({ name }) => !/^(passage_|search_|stored_|usage_(?!entries)|spending)/.test(name),
  );
  const rows = own.map(
    ({ name }) => [name, db.prepare(`SELECT * FROM ${name}`).all([]) as object[]] as const,
  );
  db.close();
  return new Map(rows);
}

function tempFolder(whenDone: (cleanup: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-schemas-'));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
