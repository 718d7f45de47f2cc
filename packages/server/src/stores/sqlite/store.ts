// The embedded store: implements the store ports on one SQLite file.
import type { AccountStore, ApiKeyStore } from '../../domain/accounts.ts';
import type { AuditStore } from '../../domain/audit-log.ts';
import type { BranchStore } from '../../domain/branch-store.ts';
import type { CodeSessionStore } from '../../domain/code-session-store.ts';
import type { LoginStore } from '../../domain/logins.ts';
import type { Outbox } from '../../domain/outbox.ts';
import type { ShareStore } from '../../domain/shares.ts';
import type { BudgetStore } from '../../domain/spending.ts';
import type { Store } from '../../domain/store.ts';
import type { UsageBook } from '../../domain/usage-book.ts';
import { createAccountStore } from './accounts.ts';
import { createApiKeyStore } from './api-keys.ts';
import { createAuditStore } from './audit.ts';
import { BackgroundWork } from './background-work.ts';
import { createBranchStore } from './branch-store.ts';
import { createBudgetStore } from './budgets.ts';
import { createCodeSessionStore } from './code-sessions.ts';
import { type Connection, type ConnectionOptions, openConnection, type Writes } from './connection.ts';
import { eventsAfter, insertEvents, lastSeq, pruneEvents } from './events.ts';
import { createLoginStore } from './logins.ts';
import { insertMessages, recentMessages } from './messages.ts';
import { migrate } from './migrations.ts';
import { createOutbox } from './outbox.ts';
import { openReader } from './reader.ts';
import { search } from './search.ts';
import { dropOldIndex, SearchIndex } from './search-index.ts';
import { changeSession, findSession, insertSession, listSessions, removeSession } from './sessions.ts';
import { createShareStore } from './shares.ts';
import { storedBytes } from './storage.ts';
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
  readonly branches: BranchStore;
  readonly codeSessions: CodeSessionStore;
  readonly logins: LoginStore;
  readonly outbox: Outbox;
  readonly usage: UsageBook;
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly shares: ShareStore;
  /** Changes whenever another process has written to the database. Cheap enough to ask every second. */
  dataVersion(): number;
  readonly budgets: BudgetStore;
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
  const reader = openReader(connection);
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
  const usage = createUsageBook({ connection, reader, writes });
  const later = new BackgroundWork([usage.addOld, index.addOld, dropOldIndex(connection)]);

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
    async search(person, text, limit, among) {
      await index.catchUp();
      return search({ connection, reader }, { person, among }, text, limit);
    },

    appendEvents: async (events) => relaxed(() => insertEvents(connection, events)),
    eventsAfter: async (sessionId, after, limit) => eventsAfter(connection, sessionId, after, limit),
    lastSeq: async (sessionId) => lastSeq(connection, sessionId),
    storedBytes: async (person) => storedBytes(connection, person),
    pruneEvents: async (sessionId, upTo) => relaxed(() => pruneEvents(connection, sessionId, upTo)),

    usage,
    budgets: createBudgetStore(connection, writes),
    logins: createLoginStore(connection, writes),
    branches: createBranchStore(connection, writes),
    codeSessions: createCodeSessionStore(connection, writes),
    outbox: createOutbox(connection, writes),
    accounts: createAccountStore(connection, writes),
    apiKeys: createApiKeyStore(connection, writes),
    audit: createAuditStore(connection, writes),
    shares: createShareStore(connection, writes),
    dataVersion: () => dataVersion(connection),

    async close() {
      index.close();
      await later.close();
      await reader.close();
      await connection.close();
    },
  };
}

function dataVersion(connection: Connection): number {
  const [row] = connection.prepare('PRAGMA data_version').all([]) as readonly { data_version: number }[];
  return row?.data_version ?? 0;
}
