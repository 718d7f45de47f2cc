// The middle of Parley: admits prompts, runs turns, numbers and stores events, sends them to readers. Every call checks
// what the actor may do with the session.
import {
  type Envelope,
  ParleyError,
  type PersonName,
  type Prompt,
  type Seq,
  type Session,
  type SessionId,
  type SessionLevel,
} from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { ByteLimits } from '../basics/byte-budget.ts';
import { Slots } from '../basics/slots.ts';
import {
  type Access,
  type Actor,
  onlyOwnSessions,
  personOf,
  requireAllowedMode,
  requireLevel,
} from '../domain/access.ts';
import type { ActivityObserver } from '../domain/activity.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { BranchStore } from '../domain/branch-store.ts';
import { familyOf } from '../domain/branches.ts';
import type { Clock, NewId } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type {
  AdmittedPrompt,
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
import { bytesOf, LiveSession } from './live-session.ts';
import { LiveSessions } from './live-sessions.ts';
import { pageOfTurns } from './past-turns.ts';
import { recover } from './recovery.ts';
import { startBranch } from './start-branch.ts';

export interface GatewayOptions {
  readonly store: Store & { readonly branches: BranchStore };
  readonly engines: readonly Engine[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly observer: TurnObserver;
  /** Who may do what. If absent, everybody may do everything with their own sessions. */
  readonly access?: Access;
  /** Learns who decided what. */
  readonly audit?: AuditLog;
  /** Learns what a person may want to know while they look elsewhere. */
  readonly activity?: ActivityObserver;
  readonly limits: {
    /** Prompts that may wait in one session. */
    readonly queue: number;
    /** Bytes of prompts that may wait or run, for each person and for all together. No limit if absent. */
    readonly promptBytes?: ByteLimits;
    /** Bytes that the store keeps for one person, about. No limit if absent. */
    readonly storageBytes?: number;
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
/** Sessions in which a person allowed a tool for the rest of the session. They last until the server stops. */
const mostAllowances = 10_000;
/** Keys under which prompts were added to running turns, so that a client that sends again adds nothing twice. */
const mostSteeredKeys = 1_000;
/** As long as a phone may be in a tunnel. */
const linger = { ms: 120_000, sessions: 200 };

export function createGateway(options: GatewayOptions): RunningGateway {
  const { store, clock, newId, limits, logger, access = onlyOwnSessions } = options;
  const engines = new Map(
    options.engines.map((engine) => {
      const slots = engine.slots ?? new Slots(Number.POSITIVE_INFINITY);
      return [engine.name, { engine, slots: { slots, asking: new Map() } }];
    }),
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
      access,
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

  async function allowed(actor: Actor, id: SessionId, needed: SessionLevel): Promise<Session> {
    return requireLevel(access, actor, await store.getSession(id), needed);
  }

  async function using<T>(
    actor: Actor,
    id: SessionId,
    needed: SessionLevel,
    use: (live: LiveSession) => T | Promise<T>,
  ): Promise<T> {
    const lease = await sessions.acquire(await allowed(actor, id, needed));
    try {
      return await use(lease.live);
    } finally {
      lease.release();
    }
  }

  function newSession(actor: Actor, wanted: NewSession): Session {
    engineOf(wanted);
    const person = personOf(actor);
    if (!access.mayUse(actor, wanted)) throw notTheirAssistant;
    requireAllowedMode(access, person, wanted.settings ?? {});
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

  /** A signal that aborts with the given one, and when the actor may no longer see the session. */
  function whileAllowed(actor: Actor, session: Session, signal: AbortSignal | undefined) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const stopListening = access.onChange(() => {
      if (access.levelOf(actor, session) === undefined) abort();
    });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    return {
      signal: controller.signal,
      release() {
        stopListening();
        signal?.removeEventListener('abort', abort);
      },
    };
  }

  async function sharedByOwner(person: PersonName): Promise<Map<PersonName, Set<SessionId>>> {
    const byOwner = new Map<PersonName, Set<SessionId>>();
    for (const id of access.sharedWith(person)) {
      const owner = (await store.getSession(id))?.person;
      if (owner !== undefined) byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(id));
    }
    return byOwner;
  }

  /** The set of this session, shared: adding to it allows the tool from then on. */
  function allowedToolsOf(id: SessionId): Set<string> {
    const tools = allowedTools.get(id) ?? new Set<string>();
    allowedTools.set(id, tools);
    return tools;
  }

  /** Keys are unique among the prompts of a session's owner; those of others must not meet them. */
  function keyOf(session: Session, actor: Actor, key: string): string {
    const person = personOf(actor);
    return person === session.person ? key : `${person}\n${key}`;
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

  /** Why nothing more is stored for the person. */
  async function fullStorage(person: PersonName): Promise<ParleyError | undefined> {
    const { storageBytes = Number.POSITIVE_INFINITY } = limits;
    return (await store.storedBytes(person)) < storageBytes ? undefined : storageIsFull(storageBytes);
  }

  function fitsInMemory(person: PersonName, prompt: Prompt): boolean {
    const most = limits.promptBytes;
    if (!most) return true;
    let own = bytesOf(prompt);
    let all = own;
    for (const { session, promptBytes } of sessions.loaded()) {
      all += promptBytes;
      if (session.person === person) own += promptBytes;
    }
    return own <= most.each && all <= most.all;
  }

  async function deleteOne(session: Session): Promise<void> {
    const { person, id } = session;
    await using(person, id, 'own', (live) => live.close());
    await sessions.forget(id);
    await engineOf(session).release?.(id);
    await store.deleteSession(id);
    allowedTools.delete(id);
  }

  async function prompt(request: PromptRequest): Promise<AdmittedPrompt> {
    const { person: actor, key } = request;
    const session =
      typeof request.session === 'string'
        ? await allowed(actor, request.session, 'participate')
        : newSession(actor, request.session);
    const { person } = session;
    // The owner may have lost this right since they chose the mode.
    requireAllowedMode(access, person, session.settings);
    const isFull = await fullStorage(person);
    const lease = await sessions.acquire(session);
    const refusal = fitsInMemory(person, request.prompt) ? isFull : tooMuchWaits;
    const keyed = { ...request, ...(key !== undefined && { key: keyOf(session, actor, key) }) };
    const { session: stored, turn, fresh } = await admitPrompt(keyed, session, lease, options, refusal);
    return { session: stored, turnId: turn.id, fresh, prompt: turn.prompt, after: turn.after };
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
      // What could not be stored is still in the log.
      await journal.flush().catch(() => undefined);
      return store.eventsAfter(session.id, seq, limit);
    };
    return readLog(log, after, engineOf(session).storesEvents ? fetchStored : undefined, signal);
  }

  return {
    async createSession(actor, wanted) {
      const session = newSession(actor, wanted);
      await store.createSession(session);
      return session;
    },

    getSession: (actor, id) => allowed(actor, id, 'read'),

    async listSessions(actor, page) {
      const person = personOf(actor);
      const assistants = access.assistantsOf(actor);
      const also = access.sharedWith(person);
      return store.listSessions(person, { ...page, also, ...(assistants && { assistants }) });
    },

    configure: (actor, id, settings) =>
      using(actor, id, 'own', (live) => {
        requireAllowedMode(access, personOf(actor), settings);
        return live.configure(settings);
      }),

    async renameSession(actor, id, title) {
      const session = await allowed(actor, id, 'own');
      for (const member of familyOf(id, await store.branches.list(id))) {
        await store.updateSession(member, { title });
        const live = await sessions.peek(member);
        if (live) live.session = { ...live.session, title };
      }
      return { ...session, title };
    },

    async deleteSession(actor, id) {
      await allowed(actor, id, 'own');
      for (const member of familyOf(id, await store.branches.list(id))) {
        const session = await store.getSession(member);
        if (session) await deleteOne(session);
      }
    },

    state: (actor, id) => using(actor, id, 'read', stateOf),

    async turns(actor, id) {
      await allowed(actor, id, 'read');
      return startedTurns(id);
    },

    async pastTurns(actor, id, page) {
      const { lastSeq } = await using(actor, id, 'read', stateOf);
      const [oldest] = await store.eventsAfter(id, 0, 1);
      return pageOfTurns(await startedTurns(id), page, { lastSeq, firstSeq: oldest?.seq ?? 1 });
    },

    async search(actor, query, limit) {
      const person = personOf(actor);
      const shared = await sharedByOwner(person);
      const found = await Promise.all([
        store.search(person, query, limit),
        ...[...shared].map(([owner, among]) => store.search(owner, query, limit, among)),
      ]);
      const hits = await Promise.all(
        found.flat().map(async (hit) => {
          const session = await store.getSession(hit.sessionId);
          return session && access.levelOf(actor, session) !== undefined ? [hit] : [];
        }),
      );
      return hits.flat().slice(0, limit);
    },

    prompt,

    async branch({ before, ...request }) {
      const { person: actor, key } = request;
      const from = await allowed(actor, request.session, 'own');
      requireAllowedMode(access, from.person, from.settings);
      const earlier =
        key === undefined ? undefined : await store.findAdmission(from.person, keyOf(from, actor, key));
      if (earlier) return prompt({ ...request, session: earlier.session.id });
      // What was published so far is copied too.
      await journal.flush();
      const id = await startBranch(from, before, engineOf(from), options);
      for (const tool of allowedToolsOf(from.id)) allowedToolsOf(id).add(tool);
      return prompt({ ...request, session: id });
    },

    async branches(actor, id) {
      await allowed(actor, id, 'read');
      const all = await store.branches.list(id);
      const seen = new Set<SessionId>();
      for (const member of familyOf(id, all)) {
        const session = await store.getSession(member);
        if (session && access.levelOf(actor, session) !== undefined) seen.add(member);
      }
      return all.filter(({ sessionId, parentId }) => seen.has(sessionId) && seen.has(parentId));
    },

    async wake(actor, id) {
      // Whoever only reads starts no process.
      if (access.levelOf(actor, await allowed(actor, id, 'read')) === 'read') return;
      await using(actor, id, 'participate', (live) => live.wake());
    },
    steer: (actor, id, prompt, key) =>
      using(actor, id, 'participate', (live) => {
        if (key === undefined) return live.steer(prompt);
        const { person } = live.session;
        const admitted = keyOf(live.session, actor, key);
        const isAdmitted = async () => (await store.findAdmission(person, admitted)) !== undefined;
        return steerOnce(`${id} ${admitted}`, async () => !(await isAdmitted()) && live.steer(prompt));
      }),
    withdraw: (actor, id, turnId) => using(actor, id, 'participate', (live) => live.withdraw(turnId)),
    reorder: (actor, id, order) => using(actor, id, 'participate', (live) => live.reorder(order)),
    interrupt: (actor, id) => using(actor, id, 'participate', (live) => live.interrupt()),
    decide: (actor, id, permission, decision) =>
      using(actor, id, 'participate', (live) => {
        const tool = live.permissions.find((open) => open.id === permission)?.request.tool;
        const isSettled = live.decide(permission, decision);
        if (isSettled) {
          const how = decision.behavior === 'allow' ? `allow, ${decision.scope}` : decision.behavior;
          const detail = `${tool ?? 'a tool'}: ${how}`;
          options.audit?.record({
            action: 'permission.decided',
            person: personOf(actor),
            subject: id,
            detail,
          });
        }
        return isSettled;
      }),

    async *subscribe(
      actor: Actor,
      id: SessionId,
      { after, signal }: SubscribeOptions = {},
    ): AsyncIterable<Envelope> {
      const session = await allowed(actor, id, 'read');
      const lease = await sessions.acquire(session);
      const allowance = whileAllowed(actor, session, signal);
      try {
        yield* read(lease.live, after ?? lease.live.log.lastSeq, allowance.signal);
      } finally {
        allowance.release();
        lease.release();
      }
    },

    async watch(actor, id, signal) {
      const session = await allowed(actor, id, 'read');
      const lease = await sessions.acquire(session);
      const allowance = whileAllowed(actor, session, signal);
      const release = () => {
        allowance.release();
        lease.release();
      };
      if (signal.aborted) release();
      else signal.addEventListener('abort', release, { once: true });
      const state = stateOf(lease.live);
      return { state, events: read(lease.live, state.lastSeq, allowance.signal) };
    },

    recover: () =>
      recover({ store, clock, logger }, async (turn, session) => {
        const lease = await sessions.acquire(session);
        hold(lease, lease.live.enqueue(turn), logger);
      }),

    async close() {
      sessions.close();
      await Promise.all((await sessions.all()).map((live) => live.close()));
      await journal
        .flush()
        .catch((error: unknown) => logger.error({ err: error }, 'the last events could not be stored'));
    },
  };
}

const notTheirAssistant = new ParleyError('forbidden', 'You may not use this assistant.');

const tooMuchWaits = new ParleyError(
  'busy',
  'Your other messages have to be answered first, because together they are too large. Try again in a moment.',
);

function storageIsFull(most: number): ParleyError {
  const size = `${(most / 1024 ** 3).toLocaleString('en', { maximumSignificantDigits: 3 })} GB`;
  return new ParleyError(
    'storage_full',
    `Your conversations take up all of the ${size} that one person has on this server. Delete some that you no longer need, or ask an owner to raise limits.storageBytes.`,
  );
}

function stateOf(live: LiveSession): SessionState {
  const { session, running, queue, ahead, permissions, log, turnAfter } = live;
  const { lastSeq, firstSeq } = log;
  return { session, running, queue, ahead, permissions, lastSeq, turnAfter, resumableAfter: firstSeq - 1 };
}
