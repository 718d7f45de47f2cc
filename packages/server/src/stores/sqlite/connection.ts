// The only connection to the database. A write runs synchronously, so nothing can interleave with it. A commit survives a
// crash of the process; `synced` resolves when it survives a power cut too.
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SqliteQueryCompiler } from 'kysely';
import Database from 'libsql';
import { BoundedMap } from '../../basics/bounded-map.ts';
import { type Answer, compiled, type Statement as SqlStatement, type Value, type Work } from '../sql/work.ts';
import { CommitGroups } from './commit-groups.ts';
import { cannotOpen, closed, toParleyError } from './failures.ts';
import { WalSync } from './wal-sync.ts';

export interface ConnectionOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  /** How long a call waits for another process that is writing. */
  readonly busyTimeoutMs?: number;
}

interface Statement {
  all(values: readonly Value[]): readonly unknown[];
  /** The number of changed rows. */
  run(values: readonly Value[]): number;
}

export interface Connection {
  readonly file: string;
  /** Whether there can be other connections to this database. */
  readonly isShared: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** Runs the work to its end without waiting. */
  run<T>(work: Work<T>): T;
  /** Runs all of `work` or none of it. Later calls see it at once; it is committed when the promise resolves. */
  write<T>(work: () => T): Promise<T>;
  /** Resolves when everything committed before the call survives a power cut. */
  synced(): Promise<void>;
  close(): Promise<void>;
}

// SQL texts vary with the length of their lists, so there may be many.
const maxPrepared = 256;
export const compiler = new SqliteQueryCompiler();
const walLimitBytes = 16 * 1024 * 1024;

export function openConnection({ file, busyTimeoutMs = 5000 }: ConnectionOptions): Connection {
  try {
    if (file !== ':memory:') createPrivateFile(resolve(file));
    const { db, isShared } = openDatabase(file === ':memory:' ? file : resolve(file), busyTimeoutMs);
    // SQLite syncs its log before a checkpoint; WalSync syncs it after commits.
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA foreign_keys = ON');
    db.exec(`PRAGMA journal_size_limit = ${walLimitBytes}`);
    // A larger log, so that pages that change often are copied to the database less often.
    db.exec(`PRAGMA wal_autocheckpoint = ${walLimitBytes / 4096}`);
    // On macOS, a plain fsync does not reach the disk; elsewhere this has no effect.
    db.exec('PRAGMA fullfsync = ON');
    db.exec('PRAGMA checkpoint_fullfsync = ON');
    const wal = file === ':memory:' ? undefined : new WalSync(`${resolve(file)}-wal`);
    return { ...connect(db, file, wal), isShared };
  } catch (thrown) {
    throw cannotOpen(thrown, file);
  }
}

/** On a disk without room for the file that connections share, one connection alone can still read, and write later. */
function openDatabase(path: string, timeout: number): { db: Database.Database; isShared: boolean } {
  const db = new Database(path, { timeout });
  try {
    db.exec('PRAGMA journal_mode = WAL');
    return { db, isShared: path !== ':memory:' };
  } catch (thrown) {
    db.close();
    if (!(thrown instanceof Database.SqliteError) || !/^SQLITE_(IOERR_SHM|FULL)/.test(thrown.code))
      throw thrown;
    const alone = new Database(path, { timeout });
    alone.exec('PRAGMA locking_mode = EXCLUSIVE');
    alone.exec('PRAGMA journal_mode = WAL');
    return { db: alone, isShared: false };
  }
}

function connect(
  db: Database.Database,
  file: string,
  wal: WalSync | undefined,
): Omit<Connection, 'isShared'> {
  const prepared = new BoundedMap<string, Database.Statement>(maxPrepared);
  const groups = new CommitGroups(db, (sql) => void statement(sql).run([]));
  let open = true;

  function attempt<T>(work: () => T): T {
    if (!open) throw closed();
    try {
      return work();
    } catch (thrown) {
      throw toParleyError(thrown, file);
    }
  }

  function statement(sql: string): Database.Statement {
    const known = prepared.get(sql);
    if (known) return known;
    const fresh = db.prepare(sql);
    prepared.set(sql, fresh);
    return fresh;
  }

  function answer(asked: SqlStatement): Answer {
    const { sql, values } = compiled(asked, compiler);
    return asked.returns === 'rows' ? statement(sql).all(values) : statement(sql).run(values).changes;
  }

  function finish<T>(work: Work<T>): T {
    let step = work.next();
    while (!step.done) step = work.next(answer(step.value));
    return step.value;
  }

  return {
    file,
    prepare: (sql) => ({
      all: (values) => attempt(() => statement(sql).all(values)),
      run: (values) => attempt(() => statement(sql).run(values).changes),
    }),
    exec: (sql) => attempt(() => void db.exec(sql)),
    run: (work) => attempt(() => finish(work)),
    async write(work) {
      try {
        if (!open) throw closed();
        return await groups.write(work);
      } catch (thrown) {
        throw toParleyError(thrown, file);
      }
    },
    async synced() {
      try {
        await wal?.sync();
      } catch (thrown) {
        throw toParleyError(thrown, file);
      }
    },
    async close() {
      if (!open) return;
      open = false;
      await groups.close();
      await wal?.close();
      // The driver closes the file only when its statements are garbage-collected, so the log is emptied here.
      try {
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // What stays in the log is read from there at the next start.
      }
      prepared.clear();
      db.close();
    },
  };
}

/** Sessions are private: only the user who runs Parley can read the file. */
function createPrivateFile(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
    syncFolder(folder);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
  const openToOthers = statSync(file).mode & 0o077;
  if (openToOthers !== 0) chmodSync(file, 0o600);
}

/** A new file is durable only when its folder is synced. Windows can't open folders and doesn't need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
