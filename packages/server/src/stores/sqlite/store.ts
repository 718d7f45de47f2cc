// The embedded store: the port of the domain on one SQLite file.
import type { Store } from '../../domain/store.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { eventsAfter, insertEvents, lastSeq, pruneEvents } from './events.ts';
import { insertMessages, listMessages } from './messages.ts';
import { migrate } from './migrations.ts';
import { search } from './search.ts';
import { changeSession, findSession, insertSession, listSessions, removeSession } from './sessions.ts';
import { admitTurn, changeTurn, findTurn, listTurns, reorderTurns, unfinishedTurns } from './turns.ts';

/** Opens the database, creates it when it is not there, and brings it to the newest shape. */
export async function openSqliteStore(options: ConnectionOptions): Promise<Store> {
  const connection = openConnection(options);
  try {
    migrate(connection);
    await connection.synced();
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
  return createSqliteStore(connection);
}

/** The store on a connection whose database has its shape; the store closes it. */
export function createSqliteStore(connection: Connection): Store {
  const relaxed = <T>(work: () => T): T => connection.transaction(work);
  const durable = async <T>(work: () => T): Promise<T> => {
    const result = connection.transaction(work);
    await connection.synced();
    return result;
  };

  return {
    getSession: async (id) => findSession(connection, id),
    listSessions: async (person, options) => listSessions(connection, person, options),
    updateSession: async (id, change) => relaxed(() => changeSession(connection, id, change)),
    deleteSession: async (id) => durable(() => removeSession(connection, id)),

    admit: async (turn, session, { newSession }) =>
      durable(() => admitTurn(connection, turn, session, newSession)),
    createSession: async (session) => durable(() => insertSession(connection, session)),
    getTurn: async (id) => findTurn(connection, id),
    listTurns: async (sessionId, filter) => listTurns(connection, sessionId, filter),
    updateTurn: async (id, change) => durable(() => changeTurn(connection, id, change)),
    reorderTurns: async (sessionId, order) => durable(() => reorderTurns(connection, sessionId, order)),
    unfinishedTurns: async () => unfinishedTurns(connection),

    appendMessages: async (sessionId, turnId, messages) =>
      durable(() => insertMessages(connection, sessionId, turnId, messages)),
    listMessages: async (sessionId) => listMessages(connection, sessionId),
    search: async (person, text, limit) => search(connection, person, text, limit),

    appendEvents: async (events) => relaxed(() => insertEvents(connection, events)),
    eventsAfter: async (sessionId, after, limit) => eventsAfter(connection, sessionId, after, limit),
    lastSeq: async (sessionId) => lastSeq(connection, sessionId),
    pruneEvents: async (sessionId, upTo) => relaxed(() => pruneEvents(connection, sessionId, upTo)),

    close: async () => connection.close(),
  };
}
