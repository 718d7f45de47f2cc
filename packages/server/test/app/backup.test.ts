// A backup has everything that is in a home, and a restore brings exactly that back, or changes nothing.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { backupHome } from '../../src/app/backup.ts';
import { restoreHome } from '../../src/app/restore.ts';
import { finishRestore, planRestore } from '../../src/app/staged-restore.ts';
import { tarEnd, tarHeader, tarPadding } from '../../src/basics/tar.ts';
import { databaseFile, recipesFile, restorePlanFile } from '../../src/config/files.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { filledHome } from '../stores/filled-home.ts';
import { tempFolder } from '../tools/mcp/harness.ts';

const signal = new AbortController().signal;
const askServer = () => Promise.reject(new Error('no server uses this home'));

describe('a backup', () => {
  it('brings back every row and every file, under the same names and rights [team.ship.backup]', async () => {
    const { home, file } = await backedUp(await filledHome());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restored = { dataDir: join(tempFolder(), 'new') };
    const result = await restoreHome({ home: restored, file, replace: false, askServer, signal });

    expect(result).toMatchObject({ version: '1.2.3', aside: undefined });
    for (const database of [databaseFile, recipesFile])
      expect(rowsOf(database(restored))).toEqual(rowsOf(database(home)));
    for (const path of [longPath, 'settings.json', 'large', 'empty', 'sessions.json'])
      expect(readFileSync(join(restored.dataDir, path)).equals(readFileSync(join(home.dataDir, path)))).toBe(
        true,
      );
    expect(statSync(join(restored.dataDir, longPath)).mtimeMs).toBe(1_700_000_000_000);
    expect(statSync(join(restored.dataDir, 'settings.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(restored.dataDir)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(copies|link|transcript-words.*|\.restoring.*)$/)]),
    );
  });

  it('is an archive that other programs can read', async () => {
    const { file } = await backedUp();
    const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(listed).toEqual(expect.arrayContaining(['parley.db', 'settings.json', longPath]));
    expect(listed.at(-1)).toBe('parley-backup.json');
  });

  it('is neither written over another file nor into the home itself', async () => {
    const { home, file } = await backedUp();
    const before = readFileSync(file);
    const backup = (to: string) => backupHome({ home, file: to, version: '1', signal });
    await expect(backup(file)).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(file).equals(before)).toBe(true);
    await expect(backup(join(home.dataDir, 'backup'))).rejects.toMatchObject({ code: 'invalid' });
    await expect(backup(join(home.dataDir, '../nowhere/backup'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('leaves nothing behind if it is stopped', async () => {
    const { home } = await backedUp();
    const folder = tempFolder();
    const stopped = AbortSignal.abort();
    const file = join(folder, 'backup');
    await expect(backupHome({ home, file, version: '1', signal: stopped })).rejects.toThrow(/abort/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a restore', () => {
  it('moves existing data aside, but only if asked to [team.ship.restore]', async () => {
    const { file } = await backedUp();
    const home = { dataDir: tempFolder() };
    writeFileSync(join(home.dataDir, 'settings.json'), 'mine');
    await expect(restoreHome({ home, file, replace: false, askServer, signal })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(contents(home.dataDir)).toEqual(['settings.json']);

    const { aside = '' } = await restoreHome({ home, file, replace: true, askServer, signal });
    expect(readFileSync(join(aside, 'settings.json'), 'utf8')).toBe('mine');
    expect(readFileSync(join(home.dataDir, 'settings.json'), 'utf8')).toBe('{}');
  });

  it('keeps what was there before, also of two restores in the same second [team.ship.restore]', async () => {
    const { file } = await backedUp();
    const home = { dataDir: tempFolder() };
    const put = (text: string) => writeFileSync(join(home.dataDir, 'settings.json'), text);
    const restore = () => restoreHome({ home, file, replace: true, askServer, signal });
    const kept: string[] = [];
    for (const text of ['first', 'second', 'third']) {
      put(text);
      kept.push(readFileSync(join((await restore()).aside ?? '', 'settings.json'), 'utf8'));
    }
    expect(kept).toEqual(['first', 'second', 'third']);
  });

  const names = ['parley.db', 'sessions.json', 'settings.json'];
  // A crash before the first file moved, and after each one: first the old ones move aside, then the others in.
  const crashes = [undefined, ...Array.from({ length: names.length + 3 }, (_, moved) => moved)];
  it.each(crashes)('continues after a crash: %s moved [team.ship.restore-crash]', async (moved) => {
    const home = { dataDir: tempFolder() };
    const [stage, aside] = ['.restoring-abc123', 'before-restore-20261118T120000'];
    const path = (...parts: readonly string[]) => join(home.dataDir, ...parts);
    mkdirSync(path(stage));
    mkdirSync(path(aside));
    for (const name of names) writeFileSync(path(name), 'old');
    const restored = ['large', 'parley.db'];
    for (const name of restored) writeFileSync(path(stage, name), 'restored');
    const moves = [
      ...names.map((name) => [path(name), path(aside, name)] as const),
      ...restored.map((name) => [path(stage, name), path(name)] as const),
    ];
    for (const [from, to] of moves.slice(0, moved ?? 0)) renameSync(from, to);
    const plan = { stage, aside, ...(moved !== undefined && { present: names }) };
    writeFileSync(restorePlanFile(home), JSON.stringify(plan));

    await finishRestore(home);
    expect(contents(home.dataDir).toSorted()).toEqual([aside, ...restored].toSorted());
    for (const name of restored) expect(readFileSync(path(name), 'utf8')).toBe('restored');
    expect(readdirSync(path(aside)).toSorted()).toEqual(names);
    for (const name of names) expect(readFileSync(path(aside, name), 'utf8')).toBe('old');
  });

  it('that was taken back changes nothing', async () => {
    const home = { dataDir: tempFolder() };
    writeFileSync(join(home.dataDir, 'settings.json'), 'mine');
    await planRestore(home, '.restoring-gone');
    await finishRestore(home);
    expect(contents(home.dataDir)).toEqual(['settings.json']);
  });

  const damages: readonly [what: string, damage: (archive: Buffer) => Buffer][] = [
    ['that is cut off', (archive) => archive.subarray(0, archive.length / 2)],
    ['with another byte in a file', (archive) => gzipSync(flipped(gunzipSync(archive)))],
    ['without its summary', (archive) => gzipSync(gunzipSync(archive).subarray(0, -4 * 512))],
    ['with a file that leads out of the home', () => gzipSync(tarOf('../evil'))],
    ['with an absolute name', () => gzipSync(tarOf('/evil'))],
    ['with the same name twice', () => gzipSync(Buffer.concat([tarOf('x').subarray(0, 1024), tarOf('x')]))],
    ['that is something else', () => Buffer.from('not a backup')],
  ];
  it.each(damages)('refuses a file %s, and changes nothing [team.ship.verify]', async (_what, damage) => {
    const { file } = await backedUp();
    writeFileSync(file, damage(readFileSync(file)));
    const home = { dataDir: join(tempFolder(), 'home') };
    mkdirSync(home.dataDir);
    writeFileSync(join(home.dataDir, 'settings.json'), 'mine');
    await expect(restoreHome({ home, file, replace: true, askServer, signal })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(contents(home.dataDir)).toEqual(['settings.json']);
    expect(readFileSync(join(home.dataDir, 'settings.json'), 'utf8')).toBe('mine');
    expect(readdirSync(join(home.dataDir, '..'))).not.toContain('evil');
  });

  it('refuses a database of a newer version, and changes nothing', async () => {
    const { home } = await backedUp();
    const db = new Database(databaseFile(home));
    db.exec("INSERT INTO migrations VALUES (999, 'of tomorrow', '')");
    db.close();
    const file = join(tempFolder(), 'newer');
    await backupHome({ home, file, version: '9', signal });
    const empty = { dataDir: tempFolder() };
    await expect(restoreHome({ home: empty, file, replace: false, askServer, signal })).rejects.toThrow(
      /newer version of Parley/,
    );
    expect(contents(empty.dataDir)).toEqual([]);
  });
});

const longPath = `people/anna/claude/${'long-folder-name/'.repeat(8)}ü.jsonl`;

async function backedUp(home: { readonly dataDir: string } = { dataDir: tempFolder() }) {
  const { dataDir } = home;
  await (await openSqliteStore({ file: databaseFile(home) })).close();
  mkdirSync(join(dataDir, longPath, '..'), { recursive: true });
  writeFileSync(join(dataDir, longPath), 'a line\n');
  utimesSync(join(dataDir, longPath), 1_700_000_000, 1_700_000_000);
  writeFileSync(join(dataDir, 'settings.json'), '{}', { mode: 0o600 });
  writeFileSync(join(dataDir, 'large'), randomBytes(3_000_001));
  writeFileSync(join(dataDir, 'empty'), '');
  writeFileSync(join(dataDir, 'transcript-words.db'), 'can be made again');
  mkdirSync(join(dataDir, 'copies'));
  writeFileSync(join(dataDir, 'copies', 'old.db'), 'a copy');
  symlinkSync('/etc/passwd', join(dataDir, 'link'));
  // Numbers without gaps would be the same after any copy.
  const db = new Database(databaseFile(home));
  db.exec('INSERT INTO usage_entries SELECT * FROM usage_entries; DELETE FROM usage_entries WHERE rowid = 1');
  db.close();
  const file = join(tempFolder(), 'backup.tar.gz');
  await backupHome({ home, file, version: '1.2.3', signal });
  return { home, file };
}

function rowsOf(file: string): Record<string, unknown> {
  const db = new Database(file);
  const tables = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all([]) as { name: string; sql: string }[];
  const rows = tables.map(({ name, sql }) => [
    name,
    db.prepare(`SELECT ${/WITHOUT ROWID/.test(sql) ? '' : 'rowid, '}* FROM ${name}`).all([]),
  ]);
  db.close();
  return Object.fromEntries(rows) as Record<string, unknown>;
}

function contents(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('server.lock'));
}

function flipped(archive: Buffer): Buffer {
  const at = archive.indexOf('a line\n');
  archive.write('A', at);
  return archive;
}

function tarOf(path: string): Buffer {
  return Buffer.concat([
    tarHeader({ path, size: 1, mode: 0o600, modifiedAt: 0 }),
    Buffer.from('x'),
    tarPadding(1),
    tarEnd,
  ]);
}
