// The store on PostgreSQL, which several servers can share.
import type { ChatStore } from '../../domain/chat-store.ts';
import { createStore, type SqlStore } from '../sql/store.ts';
import { type Database, first, run, type Work } from '../sql/work.ts';
import { createChatStore } from './chats.ts';
import { type ConnectionOptions, loadDriver } from './connections.ts';
import { openDatabase } from './database.ts';
import { postgresDialect } from './dialect.ts';
import { type Migration, migrate, outdatedSchema } from './migrations.ts';
import { refuseHalfMoved } from './moving.ts';
import { prepare } from './prepare.ts';
import { addUpStoredBytes } from './stored-bytes.ts';

export interface PostgresStore extends SqlStore {
  readonly chats: ChatStore;
  /** For other work in the same database, such as what servers have to agree on. */
  readonly database: Database;
  /** Writes a megabyte and takes it back. Rejects if that is not possible, for example because the disk is full. */
  tryWriting(): Promise<void>;
  /** The same store, but each write begins with `fence`, in the same transaction. If that throws, nothing is written. */
  fenced(fence: () => Work<void>): SqlStore;
}

const addUpEveryMs = 60_000;

export interface PostgresOptions extends ConnectionOptions {
  /** The name of the machine whose transcripts this process reads. */
  readonly machine?: () => Promise<string>;
}

/** Connects, creates the tables if necessary, and migrates them. */
export async function openPostgresStore(
  options: PostgresOptions,
  steps?: readonly Migration[],
): Promise<PostgresStore> {
  const driver = await loadDriver();
  await prepare(driver, options.url, async (client, place) => {
    await migrate(client, place, steps);
    await refuseHalfMoved(client, place);
  });
  const database = openDatabase(driver, options);
  const adding = setInterval(() => {
    // The next round tries again.
    database.relaxed(addUpStoredBytes).catch(() => undefined);
  }, addUpEveryMs).unref();
  const close = async () => {
    clearInterval(adding);
    await database.close();
  };
  const dataVersion = async () => {
    const changes = 'SELECT version FROM access_changes';
    return (await database.read(first<{ version: number }>(changes)))?.version ?? 0;
  };
  const on = (writing: Database): SqlStore => ({
    ...createStore(writing, postgresDialect, options.machine),
    dataVersion,
    close,
  });
  const chats = createChatStore(database);
  return {
    ...on(database),
    chats,
    database,
    tryWriting: () => database.apart(writeMegabyte),
    fenced: (fence) => on(behind(fence, database)),
  };
}

/** The version of a database whose tables the next start changes, otherwise undefined. Changes nothing. */
export async function outdatedDatabase(url: string): Promise<number | undefined> {
  let version: number | undefined;
  await prepare(await loadDriver(), url, async (client) => {
    version = await outdatedSchema(client);
  });
  return version;
}

/** In a table of its own: existing tables may have room even if the disk has none. */
function* writeMegabyte(): Work<void> {
  yield* run(
    'CREATE TABLE parley_doctor AS SELECT repeat(md5(n::text), 32) AS text FROM generate_series(1, 1000) AS n',
  );
  yield* run('DROP TABLE parley_doctor');
}

function behind(fence: () => Work<void>, database: Database): Database {
  const fenced = <T>(work: () => Work<T>) =>
    function* () {
      yield* fence();
      return yield* work();
    };
  return {
    ...database,
    relaxed: (work) => database.relaxed(fenced(work)),
    durable: (work) => database.durable(fenced(work)),
    apart: (work) => database.apart(fenced(work)),
  };
}
