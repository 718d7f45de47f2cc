// The embedded store: implements the store ports on one SQLite file.
import type { CodeSessionStore } from '../../domain/code-session-store.ts';
import type { LoginStore } from '../../domain/logins.ts';
import type { Outbox } from '../../domain/outbox.ts';
import type { Store } from '../../domain/store.ts';
import type { UsageBook } from '../../domain/usage-book.ts';
import {
  codeSessionOwners,
  loadTranscripts,
  removeTranscripts,
  saveTranscripts,
  unstartedCodeSessions,
} from './code-sessions.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { eventsAfter, insertEvents, lastSeq, pruneEvents } from './events.ts';
import {
  changeLogin,
  findLogin,
  insertLogin,
  loginPasswordHashes,
  removeLogin,
  removeOutdatedLogins,
} from './logins.ts';
import { insertMessages, recentMessages } from './messages.ts';
import { migrate } from './migrations.ts';
import {
  advanceOwed,
  forgetSettled,
  insertOwed,
  knowsAnswer,
  listMarks,
  listOwed,
  raiseMark,
  settleOwed,
} from './outbox.ts';
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
import { insertUsage, usageByDay, usageBySession } from './usage.ts';

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

  return {
    together: async (collect) => {
      const writes = collectWrites(connection, collect);
      await durable(() => {
        for (const write of writes) write();
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

    usage: {
      record: async (entry) => relaxed(() => insertUsage(connection, entry)),
      byDay: async (since) => usageByDay(connection, since),
      bySession: async (person, since, limit) => usageBySession(connection, person, since, limit),
    },
    logins: {
      add: async (login, most) => relaxed(() => insertLogin(connection, login, most)),
      find: async (id) => findLogin(connection, id),
      change: async (id, change) => relaxed(() => changeLogin(connection, id, change)),
      remove: async (id) => durable(() => removeLogin(connection, id)),
      removeOutdated: async (now, passwordHash) =>
        relaxed(() => removeOutdatedLogins(connection, now, passwordHash)),
      passwordHashes: async () => loginPasswordHashes(connection),
    },

    codeSessions: {
      owners: async () => codeSessionOwners(connection),
      unbegun: async (person, limit) => unstartedCodeSessions(connection, person, limit),
      transcripts: {
        load: async () => loadTranscripts(connection),
        save: async (records) => relaxed(() => saveTranscripts(connection, records)),
        remove: async (files) => relaxed(() => removeTranscripts(connection, files)),
      },
    },

    outbox: {
      owe: async (answer) => durable(() => insertOwed(connection, answer)),
      knows: async (key) => knowsAnswer(connection, key),
      owed: async (channel) => listOwed(connection, channel),
      advance: async (key, progress) => durable(() => advanceOwed(connection, key, progress)),
      settle: async (key, at) => durable(() => settleOwed(connection, key, at)),
      mark: async (channel, counter, highest) =>
        relaxed(() => raiseMark(connection, channel, counter, highest)),
      marks: async (channel) => listMarks(connection, channel),
      forgetSettled: async (before) => relaxed(() => forgetSettled(connection, before)),
    },

    async close() {
      index.close();
      await connection.close();
    },
  };
}
