// The embedded store: the store ports on one SQLite file.
import { createStore, type SqlStore } from '../sql/store.ts';
import { compiled, type Database, type Work } from '../sql/work.ts';
import { BackgroundWork } from './background-work.ts';
import { type Connection, type ConnectionOptions, compiler, openConnection } from './connection.ts';
import { copyBeforeMigration } from './copies.ts';
import { sqliteDialect } from './dialect.ts';
import { migrate, outdatedSchema } from './migrations.ts';
import { withOldEntries } from './old-usage.ts';
import { openReader, type Reader } from './reader.ts';
import { dropOldIndex, SearchIndex } from './search-index.ts';

export type SqliteStore = SqlStore;

export interface SqliteStoreOptions extends ConnectionOptions {
  /** Gets a sentence if something went wrong that does not keep the store from working. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** Opens the database, creates it if necessary, and migrates it. Copies it first if its tables change. */
export async function openSqliteStore({ warn, ...options }: SqliteStoreOptions): Promise<SqliteStore> {
  const connection = openConnection(options);
  try {
    const outdated = outdatedSchema(connection);
    const noCopy = outdated === undefined ? undefined : copyBeforeMigration(options.file, outdated);
    if (noCopy !== undefined) warn?.(noCopy);
    await migrate(connection);
    await connection.synced();
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
  return createSqliteStore(connection);
}

/** The version of a database whose tables the next start changes, otherwise undefined. Changes nothing. */
export async function outdatedDatabase(options: ConnectionOptions): Promise<number | undefined> {
  const connection = openConnection(options);
  try {
    return outdatedSchema(connection);
  } finally {
    await connection.close();
  }
}

/** The store on a connection whose database was migrated. The store closes the connection. */
export function createSqliteStore(connection: Connection): SqliteStore {
  const index = new SearchIndex(connection);
  const reader = openReader(connection);
  const database = workOn(connection, reader, () => index.postpone());
  const store = createStore(database, sqliteDialect);
  const { book, addOld } = withOldEntries(store.usage, connection, database);
  const later = new BackgroundWork([addOld, index.addOld, dropOldIndex(connection)]);

  return {
    ...store,
    usage: book,
    listSessions(person, options) {
      // A search may follow.
      reader.start();
      return store.listSessions(person, options);
    },
    async search(person, text, limit, among) {
      await index.catchUp();
      return store.search(person, text, limit, among);
    },
    async dataVersion() {
      const [row] = connection.prepare('PRAGMA data_version').all([]) as [{ data_version: number }];
      return row.data_version;
    },
    async close() {
      index.close();
      await later.close();
      await reader.close();
      await connection.close();
    },
  };
}

/** Work runs on the connection without waiting, so nothing can interleave with it; only long reads run in the reader. */
export function workOn(connection: Connection, reader: Reader, beforeWrite: () => void): Database {
  const relaxed = <T>(work: () => Work<T>): Promise<T> => {
    beforeWrite();
    return connection.write(() => connection.run(work()));
  };
  const durable = async <T>(work: () => Work<T>): Promise<T> => {
    const result = await relaxed(work);
    await connection.synced();
    return result;
  };
  return {
    read: async (work) => connection.run(work),
    async readLong(work) {
      let step = work.next();
      while (!step.done) {
        const { sql, values } = compiled(step.value, compiler);
        step = work.next(await reader.all(sql, values));
      }
      return step.value;
    },
    relaxed,
    durable,
    apart: relaxed,
  };
}
