// The half of the gateway that only reads: sessions, turns, search, and events from a number on.
import type { Envelope, Seq, SessionId } from '@parley/protocol';
import { type Access, personOf } from '../domain/access.ts';
import type { BranchStore } from '../domain/branch-store.ts';
import { familyOf } from '../domain/branches.ts';
import type { Gateway, SessionState } from '../domain/gateway.ts';
import type { Store } from '../domain/store.ts';
import { readLog } from './event-log.ts';
import type { Journal } from './journal.ts';
import type { LiveSession } from './live-session.ts';
import type { LiveSessions } from './live-sessions.ts';
import { pageOfTurns } from './past-turns.ts';
import { searchSessions } from './search-sessions.ts';
import type { SessionGuard } from './session-guard.ts';

export interface ReadingParts {
  readonly store: Store & { readonly branches: BranchStore };
  readonly access: Access;
  readonly guard: SessionGuard;
  readonly sessions: LiveSessions;
  readonly journal: Journal;
}

type ReadingGateway = Pick<
  Gateway,
  | 'getSession'
  | 'listSessions'
  | 'state'
  | 'turns'
  | 'pastTurns'
  | 'search'
  | 'branches'
  | 'subscribe'
  | 'watch'
>;

/** Enough for any history that is shown; longer ones are paged. */
const maxTurns = 1_000;

export function createReading({ store, access, guard, sessions, journal }: ReadingParts): ReadingGateway {
  function startedTurns(id: SessionId) {
    const status = ['running', 'completed', 'failed', 'interrupted'] as const;
    return store.listTurns(id, { status, last: maxTurns });
  }

  function read(live: LiveSession, after: Seq, signal: AbortSignal): AsyncIterable<Envelope> {
    const fetchStored = async (seq: Seq, limit: number) => {
      // What could not be stored is still in the log.
      await journal.flush().catch(() => undefined);
      return store.eventsAfter(live.session.id, seq, limit);
    };
    return readLog(live.log, after, live.storesEvents ? fetchStored : undefined, signal);
  }

  return {
    getSession: (actor, id) => guard.require(actor, id, 'read'),

    async listSessions(actor, page) {
      const person = personOf(actor);
      const assistants = access.assistantsOf(actor);
      const also = access.sharedWith(person);
      return store.listSessions(person, { ...page, also, ...(assistants && { assistants }) });
    },

    state: (actor, id) => guard.use(actor, id, 'read', stateOf),

    async turns(actor, id) {
      await guard.require(actor, id, 'read');
      return startedTurns(id);
    },

    async pastTurns(actor, id, page) {
      await guard.require(actor, id, 'read');
      const lastSeq = (await sessions.peek(id))?.log.lastSeq ?? (await store.lastSeq(id));
      const [oldest] = await store.eventsAfter(id, 0, 1);
      return pageOfTurns(await startedTurns(id), page, { lastSeq, firstSeq: oldest?.seq ?? 1 });
    },

    search: (actor, query, limit, among) => searchSessions({ store, access }, actor, query, limit, among),

    async branches(actor, id) {
      await guard.require(actor, id, 'read');
      const all = await store.branches.list(id);
      const seen = new Set<SessionId>();
      for (const member of familyOf(id, all)) {
        const session = await store.getSession(member);
        if (session && access.levelOf(actor, session) !== undefined) seen.add(member);
      }
      return all.filter(({ sessionId, parentId }) => seen.has(sessionId) && seen.has(parentId));
    },

    async *subscribe(actor, id, { after, signal } = {}) {
      const lease = await guard.watch(actor, id, signal);
      try {
        const { log } = lease.live;
        // The reader has seen more than there is here: another server may have the session by now.
        if (after !== undefined && after > log.lastSeq) await lease.live.confirmOwnership();
        yield* read(lease.live, after ?? log.lastSeq, lease.signal);
      } finally {
        lease.release();
      }
    },

    async watch(actor, id, signal) {
      const lease = await guard.watch(actor, id, signal);
      if (signal.aborted) lease.release();
      else signal.addEventListener('abort', () => lease.release(), { once: true });
      const state = stateOf(lease.live);
      return { state, events: read(lease.live, state.lastSeq, lease.signal) };
    },
  };
}

function stateOf(live: LiveSession): SessionState {
  const { session, running, queue, ahead, permissions, log, turnAfter } = live;
  const { lastSeq, firstSeq } = log;
  return { session, running, queue, ahead, permissions, lastSeq, turnAfter, resumableAfter: firstSeq - 1 };
}
