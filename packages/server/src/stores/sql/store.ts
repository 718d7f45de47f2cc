// The store ports on any database that runs pieces of work.
import type { AccountStore, ApiKeyStore } from '../../domain/accounts.ts';
import type { AuditStore } from '../../domain/audit-log.ts';
import type { BranchStore } from '../../domain/branch-store.ts';
import type { CodeSessionStore } from '../../domain/code-session-store.ts';
import type { LoginStore } from '../../domain/logins.ts';
import type { Outbox } from '../../domain/outbox.ts';
import type { PushStore } from '../../domain/push.ts';
import type { MarkStore } from '../../domain/session-marks.ts';
import type { ShareLinkStore } from '../../domain/share-links.ts';
import type { ShareStore } from '../../domain/shares.ts';
import type { BudgetStore } from '../../domain/spending.ts';
import type { Store } from '../../domain/store.ts';
import type { UsageBook } from '../../domain/usage-book.ts';
import { createAccountStore } from './accounts.ts';
import { createApiKeyStore } from './api-keys.ts';
import { createAuditStore } from './audit.ts';
import { createBranchStore } from './branch-store.ts';
import { createBudgetStore } from './budgets.ts';
import { createCodeSessionStore } from './code-sessions.ts';
import type { Dialect } from './dialect.ts';
import { eventsAfter, insertEvents, lastSeq, pruneEvents } from './events.ts';
import { createLoginStore } from './logins.ts';
import { createMarkStore } from './marks.ts';
import { insertMessages, recentMessages } from './messages.ts';
import { createOutbox } from './outbox.ts';
import { createPushStore } from './push.ts';
import { search } from './search.ts';
import { changeSession, findSession, insertSession, listSessions, removeSession } from './sessions.ts';
import { createShareLinkStore } from './share-links.ts';
import { createShareStore } from './shares.ts';
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
import type { Database } from './work.ts';

/** One database for everything that Parley stores. */
export interface SqlStore extends Store {
  readonly branches: BranchStore;
  readonly codeSessions: CodeSessionStore;
  readonly logins: LoginStore;
  readonly outbox: Outbox;
  readonly usage: UsageBook;
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly shares: ShareStore;
  readonly shareLinks: ShareLinkStore;
  readonly push: PushStore;
  readonly marks: MarkStore;
  readonly budgets: BudgetStore;
  /** Changes whenever another process has changed accounts or keys. Cheap enough to ask every second. */
  dataVersion(): Promise<number>;
}

/** Everything but what only the database itself can do. */
export function createStore(
  database: Database,
  dialect: Dialect,
  machine?: () => Promise<string>,
): Omit<SqlStore, 'dataVersion' | 'close'> {
  const { read, relaxed, durable } = database;
  return {
    together: async (collect) => durable(collectWrites(dialect, collect)),
    getSession: (id) => read(findSession(id)),
    listSessions: (person, options) => read(listSessions(dialect, person, options)),
    updateSession: (id, change) => relaxed(() => changeSession(id, change)),
    deleteSession: (id) => durable(() => removeSession(dialect, id)),

    admit: (turn, session, { newSession }) => durable(() => admitTurn(dialect, turn, session, newSession)),
    findAdmission: (person, key) => durable(() => findAdmission(person, key)),
    createSession: (session) => durable(() => insertSession(session)),
    getTurn: (id) => read(findTurn(id)),
    listTurns: (sessionId, filter) => read(listTurns(sessionId, filter)),
    updateTurn: (id, change) => durable(() => changeTurn(id, change)),
    reorderTurns: (sessionId, order) => durable(() => reorderTurns(sessionId, order)),
    unfinishedTurns: () => read(unfinishedTurns()),

    appendMessages: (sessionId, turnId, messages) =>
      durable(() => insertMessages(dialect, sessionId, turnId, messages)),
    recentMessages: (sessionId, isWanted) => read(recentMessages(sessionId, isWanted)),
    search: (person, text, limit, among) =>
      database.readLong(search(dialect.fullText, { person, among }, text, limit)),

    appendEvents: (events) => relaxed(() => insertEvents(events)),
    eventsAfter: (sessionId, after, limit) => read(eventsAfter(sessionId, after, limit)),
    lastSeq: (sessionId) => read(lastSeq(sessionId)),
    storedBytes: (person) => read(dialect.storedBytes(person)),
    pruneEvents: (sessionId, upTo) => relaxed(() => pruneEvents(sessionId, upTo)),

    usage: createUsageBook(database, dialect),
    budgets: createBudgetStore(database),
    logins: createLoginStore(database),
    branches: createBranchStore(database, dialect),
    codeSessions: createCodeSessionStore(database, machine),
    outbox: createOutbox(database),
    accounts: createAccountStore(database, dialect),
    apiKeys: createApiKeyStore(database),
    audit: createAuditStore(database),
    shares: createShareStore(database),
    shareLinks: createShareLinkStore(database),
    push: createPushStore(database),
    marks: createMarkStore(database),
  };
}
