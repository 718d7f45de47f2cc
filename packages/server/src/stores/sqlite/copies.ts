// Copies of a database that other processes may be writing to: for a backup, and before its tables change.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { cannotOpen, toParleyError } from './failures.ts';
import { applicationId, migrations, single, writtenByNewer } from './migrations.ts';

/** How long to wait for another process that is writing. */
const patienceMs = 10_000;
/** Older copies are deleted. */
const maxCopies = 3;
const copyName = /^parley-\d{8}T\d{6}-schema-\d+\.db$/;

/** The folder of the copies that were made before the tables of this database changed. */
export function copiesFolder(file: string): string {
  return join(dirname(file), 'copies');
}

/** Writes everything that is committed now into a new file that only its owner can read. */
export function copyDatabase(file: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  const db = new Database(file, { timeout: patienceMs });
  try {
    db.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } catch (thrown) {
    rmSync(to, { force: true });
    throw toParleyError(thrown, file);
  } finally {
    db.close();
  }
}

/** Throws if the database is damaged, or if this version of Parley is too old for it. */
export function checkDatabase(file: string): void {
  const newest = migrations.at(-1)?.version ?? 0;
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: patienceMs });
    const [found] = db.prepare('PRAGMA integrity_check').all([]) as { integrity_check: string }[];
    if (found?.integrity_check !== 'ok') throw new Database.SqliteError('it is damaged', 'SQLITE_CORRUPT', 0);
    if (single(db, 'PRAGMA application_id') !== applicationId) return;
    const current = single(db, 'SELECT max(version) FROM migrations');
    if (current > newest) throw writtenByNewer(file, current, newest);
  } catch (thrown) {
    throw cannotOpen(thrown, file);
  } finally {
    db?.close();
  }
}

/** Returns the reason if there is no copy. Keeps only the newest few. */
export function copyBeforeMigration(file: string, schema: number): string | undefined {
  const folder = copiesFolder(file);
  const none = `There is no copy of ${file} from before its tables changed:`;
  const { bavail, bsize } = statfsSync(dirname(file));
  // Twice, because the tables need space to change, too.
  if (bavail * bsize < 2 * statSync(file).size) return `${none} the disk does not have enough space.`;
  const draft = join(folder, `draft-${process.pid}.db`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    copyDatabase(file, draft);
    const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
    renameSync(draft, join(folder, `parley-${time}-schema-${schema}.db`));
  } catch (thrown) {
    return `${none} ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
  const old = readdirSync(folder)
    .filter((name) => copyName.test(name))
    .sort()
    .slice(0, -maxCopies);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return undefined;
}
