// The embedded store: implements the store ports on one SQLite file.
import type { CodeSessionStore } from '../../domain/code-session-store.ts';
import type { LoginStore } from '../../domain/logins.ts';
import type { Outbox } from '../../domain/outbox.ts';
import type { Store } from '../../domain/store.ts';
import type { UsageBook } from '../../domain/usage-book.ts';
import { createCodeSessionStore } from './code-sessions.ts';
import { type Connection, type ConnectionOptions, openConnection, type Writes } from './connection.ts';
import { eventsAfter, insertEvents, lastSeq, pruneEvents } from './events.ts';
import { createLoginStore } from './logins.ts';
import { insertMessages, recentMessages } from './messages.ts';
import { migrate } from './migrations.ts';
import { createOutbox } from './outbox.ts';
import { SearchIndex, search } from './search.ts';
import { changeSession, findSession, insertSession, listSessions, removeSession } from './sessions.ts';
import {
  admitTurn,
  changeTurn,
  findAdmission,
  findTurn,
  listTurns,
  reorderTurns,
  unfinishedTurns,
} from './turns.ts';
import { collectWrites } from './unit-of-work.ts';
import { createUsageBook } from './usage.ts';

/** One file for everything that Parley stores. */
export interface SqliteStore extends Store {
  readonly codeSessions: CodeSessionStore;
  readonly logins: LoginStore;
  readonly outbox: Outbox;
  readonly usage: UsageBook;
}

/** Opens the database, creates it if necessary, and migrates it. */
export async function openSqliteStore(options: ConnectionOptions): Promise<SqliteStore> {
  const connection = openConnection(options);
  try {
    await migrate(connection);
    await connection.synced();
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
  return createSqliteStore(connection);
}

/** The store on a connection whose database was migrated. The store closes the connection. */
export function createSqliteStore(connection: Connection): SqliteStore {
  const index = new SearchIndex(connection);
  const relaxed = <T>(work: () => T): Promise<T> => {
    index.postpone();
    return connection.write(work);
  };
  const durable = async <T>(work: () => T): Promise<T> => {
    const result = await relaxed(work);
    await connection.synced();
    return result;
  };
  const writes: Writes = { relaxed, durable };

  return {
    together: async (collect) => {
      const collected = collectWrites(connection, collect);
      await durable(() => {
        for (const write of collected) write();
      });
    },
    getSession: async (id) => findSession(connection, id),
    listSessions: async (person, options) => listSessions(connection, person, options),
    updateSession: async (id, change) => relaxed(() => changeSession(connection, id, change)),
    deleteSession: async (id) => durable(() => removeSession(connection, id)),

    admit: async (turn, session, { newSession }) =>
      durable(() => admitTurn(connection, turn, session, newSession)),
    findAdmission: async (person, key) => durable(() => findAdmission(connection, person, key)),
    createSession: async (session) => durable(() => insertSession(connection, session)),
    getTurn: async (id) => findTurn(connection, id),
    listTurns: async (sessionId, filter) => listTurns(connection, sessionId, filter),
    updateTurn: async (id, change) => durable(() => changeTurn(connection, id, change)),
    reorderTurns: async (sessionId, order) => durable(() => reorderTurns(connection, sessionId, order)),
    unfinishedTurns: async () => unfinishedTurns(connection),

    appendMessages: async (sessionId, turnId, messages) =>
      durable(() => insertMessages(connection, sessionId, turnId, messages)),
    recentMessages: async (sessionId, isWanted) => recentMessages(connection, sessionId, isWanted),
    async search(person, text, limit) {
      await index.catchUp();
      return search(connection, person, text, limit);
    },

    appendEvents: async (events) => relaxed(() => insertEvents(connection, events)),
    eventsAfter: async (sessionId, after, limit) => eventsAfter(connection, sessionId, after, limit),
    lastSeq: async (sessionId) => lastSeq(connection, sessionId),
    pruneEvents: async (sessionId, upTo) => relaxed(() => pruneEvents(connection, sessionId, upTo)),

    usage: createUsageBook(connection, writes),
    logins: createLoginStore(connection, writes),
    codeSessions: createCodeSessionStore(connection, writes),
    outbox: createOutbox(connection, writes),

    async close() {
      index.close();
      await connection.close();
    },
  };
}
