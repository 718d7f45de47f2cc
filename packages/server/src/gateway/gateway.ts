// The middle of Parley: admits prompts, runs turns, numbers and stores events, sends them to readers. Every call checks
// that the session is the person's.
import {
  type Envelope,
  ParleyError,
  type PersonName,
  type Seq,
  type Session,
  type SessionId,
  type Turn,
} from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import { Slots } from '../basics/slots.ts';
import type { ActivityObserver } from '../domain/activity.ts';
import type { Clock, NewId } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type {
  Gateway,
  NewSession,
  PromptRequest,
  SessionState,
  SubscribeOptions,
} from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Store } from '../domain/store.ts';
import type { TurnObserver } from '../domain/turn-observer.ts';
import { admitPrompt, hold } from './admission.ts';
import { EventLog, type EventLogLimits, readLog } from './event-log.ts';
import { Journal } from './journal.ts';
import { LiveSession } from './live-session.ts';
import { LiveSessions } from './live-sessions.ts';
import { recover } from './recovery.ts';

export interface GatewayOptions {
  readonly store: Store;
  readonly engines: readonly Engine[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly observer: TurnObserver;
  /** Learns what a person may want to know while they look elsewhere. */
  readonly activity?: ActivityObserver;
  readonly limits: {
    /** Prompts that may wait in one session. */
    readonly queue: number;
    /** The store keeps at least this many events of a session. */
    readonly keptEvents: number;
    /** Events of a session that stay in memory while it is in use. */
    readonly log: EventLogLimits;
    /** How long events that are in memory alone stay after their last reader left, and of how many sessions. */
    readonly linger?: { readonly ms: number; readonly sessions: number };
  };
}

export interface RunningGateway extends Gateway {
  /** Ends turns that a crash left running and runs those that it left waiting. Call it once, before the doors open. */
  recover(): Promise<void>;
  /** Interrupts what runs and stores everything. The store and the engines stay open: they belong to the caller. */
  close(): Promise<void>;
}

/** Enough for any history that is shown; longer ones are paged. */
const mostTurns = 1_000;
/** Events that a page reads one by one in a moment; turns from before them are shown as they were stored. */
const mostReplayed = 5_000;
/** Sessions in which a person allowed a tool for the rest of the session. They last until the server stops. */
const mostAllowances = 10_000;
/** Keys under which prompts were added to running turns, so that a client that sends again adds nothing twice. */
const mostSteeredKeys = 1_000;
/** As long as a phone may be in a tunnel. */
const linger = { ms: 120_000, sessions: 200 };

export function createGateway(options: GatewayOptions): RunningGateway {
  const { store, clock, newId, limits, logger } = options;
  const engines = new Map(
    options.engines.map((engine) => [
      engine.name,
      { engine, slots: new Slots(engine.maxTurns ?? Number.POSITIVE_INFINITY) },
    ]),
  );
  const journal = new Journal(store, logger);
  const allowedTools = new BoundedMap<SessionId, Set<string>>(mostAllowances);
  const steered = new BoundedMap<string, Promise<boolean>>(mostSteeredKeys);
  const sessions = new LiveSessions({
    load,
    beforeUnload: () => journal.flush(),
    lingers: (session) => !engineOf(session).storesEvents,
    lingerMs: (limits.linger ?? linger).ms,
    mostLingering: (limits.linger ?? linger).sessions,
  });

  async function load(session: Session): Promise<LiveSession> {
    const { engine, slots } = switchedOn(session);
    const lastSeq = engine.storesEvents ? await store.lastSeq(session.id) : clock.now() * 1_000;
    return new LiveSession(session, {
      ...options,
      engine,
      journal,
      log: new EventLog(lastSeq, limits.log),
      keptEvents: limits.keptEvents,
      mostQueued: limits.queue,
      slots,
      allowedTools: allowedToolsOf(session.id),
    });
  }

  function switchedOn({ engine: name }: Pick<Session, 'engine'>) {
    const found = engines.get(name);
    if (!found) throw new ParleyError('unavailable', `The engine ${name} is not enabled on this server.`);
    return found;
  }

  function engineOf(session: Pick<Session, 'engine'>): Engine {
    return switchedOn(session).engine;
  }

  async function owned(person: PersonName, id: SessionId): Promise<Session> {
    const session = await store.getSession(id);
    if (session?.person !== person) throw new ParleyError('not_found', 'There is no such session.');
    return session;
  }

  async function using<T>(
    person: PersonName,
    id: SessionId,
    use: (live: LiveSession) => T | Promise<T>,
  ): Promise<T> {
    const lease = await sessions.acquire(await owned(person, id));
    try {
      return await use(lease.live);
    } finally {
      lease.release();
    }
  }

  function newSession(person: PersonName, wanted: NewSession): Session {
    engineOf(wanted);
    const now = clock.now();
    const { engine, assistant, title = '', settings = {} } = wanted;
    return {
      id: wanted.id ?? newId(),
      person,
      engine,
      assistant,
      title,
      settings: { ...settings },
      createdAt: now,
      updatedAt: now,
    };
  }

  /** The set of this session, shared: adding to it allows the tool from then on. */
  function allowedToolsOf(id: SessionId): Set<string> {
    const tools = allowedTools.get(id) ?? new Set<string>();
    allowedTools.set(id, tools);
    return tools;
  }

  /** Returns the result of the first call with the key, unless that was false: then it tries again. */
  function steerOnce(key: string, steer: () => Promise<boolean>): Promise<boolean> {
    const earlier = steered.get(key);
    if (earlier) return earlier;
    const result = steer();
    steered.set(key, result);
    const forget = (): void => void steered.delete(key);
    result.then((isTaken) => isTaken || forget(), forget);
    return result;
  }

  function startedTurns(id: SessionId) {
    const status = ['running', 'completed', 'failed', 'interrupted'] as const;
    return store.listTurns(id, { status, last: mostTurns });
  }

  function read(
    { log, session }: LiveSession,
    after: Seq,
    signal: AbortSignal | undefined,
  ): AsyncIterable<Envelope> {
    const fetchStored = async (seq: Seq, limit: number) => {
      await journal.flush();
      return store.eventsAfter(session.id, seq, limit);
    };
    return readLog(log, after, engineOf(session).storesEvents ? fetchStored : undefined, signal);
  }

  return {
    async createSession(person, wanted) {
      const session = newSession(person, wanted);
      await store.createSession(session);
      return session;
    },

    getSession: owned,

    listSessions: (person, page) => store.listSessions(person, page),

    configure: (person, id, settings) => using(person, id, (live) => live.configure(settings)),

    async renameSession(person, id, title) {
      const session = await owned(person, id);
      await store.updateSession(id, { title });
      const live = await sessions.peek(id);
      if (live) live.session = { ...live.session, title };
      return { ...session, title };
    },

    async deleteSession(person, id) {
      const session = await owned(person, id);
      await using(person, id, (live) => live.close());
      await sessions.forget(id);
      await engineOf(session).release?.(id);
      await store.deleteSession(id);
      allowedTools.delete(id);
    },

    state: (person, id) => using(person, id, stateOf),

    async turns(person, id) {
      await owned(person, id);
      return startedTurns(id);
    },

    async pastTurns(person, id, { limit, before }) {
      const { lastSeq } = await using(person, id, stateOf);
      const [oldest] = await store.eventsAfter(id, 0, 1);
      const turns = await startedTurns(id);
      const from = firstReplayed(turns, { lastSeq, firstSeq: oldest?.seq ?? 1 });
      const cursor = turns.findIndex((turn) => turn.id === before);
      const end = cursor < 0 ? from : Math.min(cursor, from);
      const start = Math.max(end - limit, 0);
      const first = turns[start];
      return {
        turns: turns.slice(start, end),
        ...(start > 0 && first && { before: first.id }),
        after: turns[from]?.after ?? lastSeq,
      };
    },

    search: (person, query, limit) => store.search(person, query, limit),

    async prompt(request: PromptRequest) {
      const { person } = request;
      const session =
        typeof request.session === 'string'
          ? await owned(person, request.session)
          : newSession(person, request.session);
      const lease = await sessions.acquire(session);
      const { session: stored, turn, fresh } = await admitPrompt(request, session, lease, options);
      return { session: stored, turnId: turn.id, fresh, prompt: turn.prompt, after: turn.after };
    },

    wake: (person, id) => using(person, id, (live) => live.wake()),
    steer: (person, id, prompt, key) =>
      using(person, id, (live) => {
        if (key === undefined) return live.steer(prompt);
        const isAdmitted = async () => (await store.findAdmission(person, key)) !== undefined;
        return steerOnce(`${id} ${key}`, async () => !(await isAdmitted()) && live.steer(prompt));
      }),
    withdraw: (person, id, turnId) => using(person, id, (live) => live.withdraw(turnId)),
    reorder: (person, id, order) => using(person, id, (live) => live.reorder(order)),
    interrupt: (person, id) => using(person, id, (live) => live.interrupt()),
    decide: (person, id, permission, decision) =>
      using(person, id, (live) => live.decide(permission, decision)),

    async *subscribe(
      person: PersonName,
      id: SessionId,
      { after, signal }: SubscribeOptions = {},
    ): AsyncIterable<Envelope> {
      const lease = await sessions.acquire(await owned(person, id));
      try {
        yield* read(lease.live, after ?? lease.live.log.lastSeq, signal);
      } finally {
        lease.release();
      }
    },

    async watch(person, id, signal) {
      const lease = await sessions.acquire(await owned(person, id));
      if (signal.aborted) lease.release();
      else signal.addEventListener('abort', () => lease.release(), { once: true });
      const state = stateOf(lease.live);
      return { state, events: read(lease.live, state.lastSeq, signal) };
    },

    recover: () =>
      recover({ store, clock, logger }, async (turn, session) => {
        const lease = await sessions.acquire(session);
        hold(lease, lease.live.enqueue(turn), logger);
      }),

    async close() {
      sessions.close();
      await Promise.all((await sessions.all()).map((live) => live.close()));
      await journal.flush();
    },
  };
}

function stateOf(live: LiveSession): SessionState {
  const { session, running, queue, permissions, log, turnAfter } = live;
  const { lastSeq, firstSeq } = log;
  return { session, running, queue, permissions, lastSeq, turnAfter, resumableAfter: firstSeq - 1 };
}

/**
 * The first turn whose events are worth reading one by one. One that was queued while another ran is not it: its events
 * come after some of the other's.
 */
function firstReplayed(
  turns: readonly Turn[],
  { lastSeq, firstSeq }: { readonly lastSeq: Seq; readonly firstSeq: Seq },
): number {
  const isReadable = ({ after }: Turn) => after >= firstSeq - 1;
  const index = turns.findIndex((turn, place) => {
    const endBefore = turns[place - 1]?.endedAt ?? 0;
    return isReadable(turn) && turn.after >= lastSeq - mostReplayed && turn.queuedAt >= endBefore;
  });
  if (index >= 0) return index;
  const last = turns.at(-1);
  return last && isReadable(last) ? turns.length - 1 : turns.length;
}
