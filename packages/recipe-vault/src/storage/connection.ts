// One connection to the database file. Everything is synchronous: a transaction starts and ends within one call, so
// nothing else in this process can come in between, and other processes wait.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'libsql';
import { RecipeError } from '../errors.ts';
import type { Answer, Statement, Work } from './work.ts';

export interface ConnectionOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  /** How long a call waits for another process that is writing. */
  readonly busyTimeoutMs?: number;
}

export interface Connection {
  readonly file: string;
  exec(sql: string): void;
  /** Runs the work to its end, synchronously. */
  run<T>(work: Work<T>): T;
  /** The single number that a query returns. */
  number(sql: string): number;
  /** Runs all of `work` or none of it, and nobody else writes meanwhile. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export function openConnection({ file, busyTimeoutMs = 10_000 }: ConnectionOptions): Connection {
  try {
    const path = file === ':memory:' ? file : createPrivateFile(resolve(file));
    const db = openDatabase(path, busyTimeoutMs);
    db.exec('PRAGMA synchronous = FULL');
    return connect(db, file);
  } catch (thrown) {
    throw unusable(thrown, file);
  }
}

/** If the disk has no room for the file that connections share, a single connection can still read, and write later. */
function openDatabase(path: string, timeout: number): Database.Database {
  const db = new Database(path, { timeout });
  try {
    // If two processes switch a new file to WAL at once, SQLite refuses one of them without waiting.
    retryWhileBusy(() => db.exec('PRAGMA journal_mode = WAL'), timeout);
    return db;
  } catch (thrown) {
    db.close();
    if (!(thrown instanceof Database.SqliteError) || !/^SQLITE_(IOERR_SHM|FULL)/.test(thrown.code))
      throw thrown;
    const alone = new Database(path, { timeout });
    alone.exec('PRAGMA locking_mode = EXCLUSIVE');
    alone.exec('PRAGMA journal_mode = WAL');
    return alone;
  }
}

function connect(db: Database.Database, file: string): Connection {
  let open = true;

  function attempt<T>(work: () => T): T {
    if (!open) throw new RecipeError('unavailable', 'The recipe database is closed.');
    try {
      return work();
    } catch (thrown) {
      throw unusable(thrown, file);
    }
  }

  function answer({ query, returns }: Statement): Answer {
    const { sql, parameters } = typeof query === 'string' ? { sql: query, parameters: [] } : query.compile();
    const statement = db.prepare(sql);
    return returns === 'rows'
      ? statement.all(bindable(parameters))
      : statement.run(bindable(parameters)).changes;
  }

  function finish<T>(work: Work<T>): T {
    let step = work.next();
    while (!step.done) step = work.next(answer(step.value));
    return step.value;
  }

  return {
    file,
    exec: (sql) => attempt(() => void db.exec(sql)),
    run: (work) => attempt(() => finish(work)),
    number: (sql) =>
      attempt(() => Number(Object.values(db.prepare(sql).get([]) as Record<string, unknown>)[0])),
    transaction: (work) =>
      attempt(() => {
        // Immediate, because a transaction that becomes a writer halfway cannot wait for another process.
        db.exec('BEGIN IMMEDIATE');
        try {
          const result = work();
          db.exec('COMMIT');
          return result;
        } catch (thrown) {
          // On a full disk, SQLite rolls back on its own.
          if (db.inTransaction) db.exec('ROLLBACK');
          throw thrown;
        }
      }),
    close() {
      if (!open) return;
      open = false;
      db.close();
    },
  };
}

/** Retries while another process blocks, for as long as a call may wait. */
function retryWhileBusy(work: () => void, forMs: number): void {
  const pauseMs = 20;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      work();
      return;
    } catch (thrown) {
      if (!isBusy(thrown) || waitedMs >= forMs) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/** The database driver crashes the process on any other type. */
function bindable(parameters: readonly unknown[]): readonly (string | number | null)[] {
  for (const value of parameters) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`A ${typeof value} cannot be bound to a statement.`);
    }
  }
  return parameters as readonly (string | number | null)[];
}

/** Recipes are private: only the owner of the process may read the file. */
function createPrivateFile(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return file;
}

function unusable(thrown: unknown, file: string): unknown {
  if (thrown instanceof RecipeError || thrown instanceof TypeError) return thrown;
  const message = isBusy(thrown)
    ? `The recipe database ${file} is in use by another process. Try again in a moment.`
    : `The recipe database ${file} cannot be used. Check that the path is correct and writable, and that the disk has space.`;
  return new RecipeError('unavailable', message, { cause: thrown });
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
}
