// The middle of Parley: admits prompts, runs turns, numbers and stores events, sends them to readers. Every call checks
// what the actor may do with the session.
import { ParleyError, type Session, type SessionId, type TurnId } from '@parley/protocol';
import { derivedId } from '../basics/derived-id.ts';
import { Slots } from '../basics/slots.ts';
import { type Access, type Actor, onlyOwnSessions, personOf, requireAllowedMode } from '../domain/access.ts';
import type { ActivityObserver } from '../domain/activity.ts';
import type { AllowanceStore } from '../domain/allowances.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { BranchStore } from '../domain/branch-store.ts';
import { familyOf } from '../domain/branches.ts';
import type { Clock, NewId } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type { AdmittedPrompt, Gateway, NewSession, PromptRequest } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import { type Ownership, soleOwner } from '../domain/ownership.ts';
import type { Store } from '../domain/store.ts';
import { systemTimers, type Timers } from '../domain/timers.ts';
import type { TurnObserver } from '../domain/turn-observer.ts';
import { type AdmissionLimits, PromptAdmission } from './admission.ts';
import { AllowedTools } from './allowed-tools.ts';
import type { EventLogLimits } from './event-log.ts';
import { Journal } from './journal.ts';
import { type Linger, LiveSessions } from './live-sessions.ts';
import { loadSession } from './load-session.ts';
import { factsOf } from './permission-broker.ts';
import { createReading } from './reading.ts';
import { takeAbandoned } from './recovery.ts';
import { SessionGuard } from './session-guard.ts';
import { startBranch, startFork } from './start-branch.ts';

export interface GatewayOptions {
  readonly store: Store & { readonly branches: BranchStore };
  /** Which sessions are this server's. If absent, all are. */
  readonly ownership?: Ownership;
  /** What people allowed for the rest of a session, if another server may continue it. */
  readonly allowances?: AllowanceStore;
  readonly engines: readonly Engine[];
  readonly clock: Clock;
  /** The system's if absent. */
  readonly timers?: Timers;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly observer: TurnObserver;
  /** Who may do what. If absent, everybody may do everything with their own sessions. */
  readonly access?: Access;
  /** Records who decided what. */
  readonly audit?: AuditLog;
  /** Gets notifications for people who are looking elsewhere. */
  readonly activity?: ActivityObserver;
  readonly limits: AdmissionLimits & {
    /** The store keeps at least this many events of a session. */
    readonly keptEvents: number;
    /** Events of a session that stay in memory while it is in use. */
    readonly log: EventLogLimits;
    /** How long events that are only in memory stay after their last reader left, and for how many sessions. */
    readonly linger?: Linger;
  };
}

export interface RunningGateway extends Gateway {
  /**
   * Takes over sessions that have work but no owner: ends turns that a crash left running, and runs the waiting ones.
   * Call it before the doors open, and with several servers every now and then.
   */
  recover(): Promise<void>;
  /** Hands sessions over to other servers. Running turns may finish until the signal aborts. */
  drain(signal: AbortSignal): Promise<void>;
  /** Interrupts what runs and stores everything. The store and the engines stay open: they belong to the caller. */
  close(): Promise<void>;
}

export function createGateway(options: GatewayOptions): RunningGateway {
  const { store, clock, timers = systemTimers, newId, limits, logger, access = onlyOwnSessions } = options;
  const engines = new Map(
    options.engines.map((engine) => {
      const slots = engine.slots ?? new Slots(Number.POSITIVE_INFINITY);
      return [engine.name, { engine, slots: { slots, asking: new Map() } }];
    }),
  );
  const ownership = options.ownership ?? soleOwner(store);
  const journal = new Journal(ownership, logger, timers);
  const allowedTools = new AllowedTools(options.allowances, logger);
  const loading = { ...options, ownership, timers, access, journal, allowedTools, mayRun };
  const sessions = new LiveSessions({
    load: async (session) => loadSession(session, { ...loading, ...enabled(session) }),
    beforeUnload: () => journal.flush(),
    unloaded: (live) => {
      live.unloaded();
      ownership.release(live.tenure);
    },
    lingers: (session) => !engineOf(session).storesEvents,
    linger: limits.linger,
    timers,
  });
  const guard = new SessionGuard(store, access, sessions);
  // Stop the sessions of people who may no longer use them.
  const stopWatching = access.onChange(() => {
    for (const live of sessions.loaded().filter(({ session }) => !mayRun(session)))
      live.stop().catch((error: unknown) => logger.error({ err: error }, 'a session could not be stopped'));
  });
  /** Those that are being made. */
  const forks = new Map<SessionId, Promise<Session>>();
  const admission = new PromptAdmission({ store, sessions, clock, newId, logger, limits });

  function mayRun(session: Session): boolean {
    return access.levelOf(session.person, session) !== undefined;
  }

  function enabled({ engine: name }: Pick<Session, 'engine'>) {
    const found = engines.get(name);
    if (!found) throw new ParleyError('unavailable', `The engine ${name} is not enabled on this server.`);
    return found;
  }

  function engineOf(session: Pick<Session, 'engine'>): Engine {
    return enabled(session).engine;
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

  /** An engine with its own record keeps it here, so the session stays on this machine from now on. */
  async function stayHere(session: Session): Promise<void> {
    if (!engineOf(session).storesEvents) ownership.release((await ownership.claim(session)).tenure);
  }

  async function prompt(request: PromptRequest): Promise<AdmittedPrompt> {
    const session =
      typeof request.session === 'string'
        ? await guard.require(request.person, request.session, 'participate')
        : newSession(request.person, request.session);
    if (!mayRun(session)) throw ownerIsGone;
    // The owner may have lost this right since they chose the mode.
    requireAllowedMode(access, session.person, session.settings);
    engineOf(session).check?.(request.prompt);
    return admission.admit(request, session);
  }

  async function startOwnFork(from: Session, before: TurnId | undefined, id: SessionId): Promise<Session> {
    await journal.flush();
    const earlier = await store.branches.findFork(id);
    const fork = earlier ?? (await startFork(from, { before, id }, engineOf(from), options));
    await stayHere(fork);
    return fork;
  }

  async function deleteOne(session: Session): Promise<void> {
    const { id } = session;
    await (await sessions.peek(id))?.close();
    await sessions.forget(id);
    await engineOf(session).release?.(id);
    await store.deleteSession(id);
    await ownership.revoke(id);
    allowedTools.forget(id);
  }

  return {
    ...createReading({ store, access, guard, sessions, journal }),

    async createSession(actor, wanted) {
      const session = newSession(actor, wanted);
      await store.createSession(session);
      await stayHere(session);
      return session;
    },

    configure: (actor, id, settings) =>
      guard.use(actor, id, 'own', (live) => {
        requireAllowedMode(access, personOf(actor), settings);
        return live.configure(settings);
      }),

    // The owner does it, because its running turn may be about to name the session.
    renameSession: (actor, id, title) =>
      guard.use(actor, id, 'own', async ({ session }) => {
        for (const member of familyOf(id, await store.branches.list(id))) {
          await store.updateSession(member, { title });
          const live = await sessions.peek(member);
          if (live) live.session = { ...live.session, title };
        }
        return { ...session, title };
      }),

    async deleteSession(actor, id) {
      await guard.require(actor, id, 'own');
      for (const member of familyOf(id, await store.branches.list(id))) {
        const session = await store.getSession(member);
        if (session) await deleteOne(session);
      }
    },

    prompt,

    branch: ({ before, ...request }) =>
      guard.use(request.person, request.session, 'own', async ({ session: from }) => {
        requireAllowedMode(access, from.person, from.settings);
        const earlier = await admission.find(from, request.person, request.key);
        if (earlier) return prompt({ ...request, session: earlier.session.id });
        engineOf(from).check?.(request.prompt);
        // What was published so far is copied too. Only the owner has it.
        await journal.flush();
        const id = await startBranch(from, before, engineOf(from), options);
        allowedTools.copy(from.id, id);
        return prompt({ ...request, session: id });
      }),

    context: (actor, id) =>
      guard.use(actor, id, 'read', async ({ session }) =>
        engineOf(session).context?.(session, (isWanted) => store.recentMessages(id, isWanted)),
      ),

    fork: (actor, id, before, key = newId()) =>
      guard.use(actor, id, 'own', ({ session: from }) => {
        // A retry gets the same id on every server, even after a crash.
        const to = derivedId(id, personOf(actor), key);
        const fork = forks.get(to) ?? startOwnFork(from, before, to).finally(() => forks.delete(to));
        forks.set(to, fork);
        return fork;
      }),

    async wake(actor, id) {
      // Somebody who may only read must not start a process.
      if (access.levelOf(actor, await guard.require(actor, id, 'read')) === 'read') return;
      await guard.use(actor, id, 'participate', (live) => live.wake());
    },
    steer: (actor, id, prompt, key) =>
      guard.use(actor, id, 'participate', (live) => {
        // Nothing records who wrote a part of a turn, so the prompts of others are always turns of their own.
        if (personOf(actor) !== live.session.person) return false;
        return admission.steer(live, actor, prompt, key);
      }),
    withdraw: (actor, id, turnId) => guard.use(actor, id, 'participate', (live) => live.withdraw(turnId)),
    reorder: (actor, id, order) => guard.use(actor, id, 'participate', (live) => live.reorder(order)),
    interrupt: (actor, id) => guard.use(actor, id, 'participate', (live) => live.interrupt()),
    decide: (actor, id, permission, decision) =>
      guard.use(actor, id, 'participate', (live) => {
        const tool = live.permissions.find((open) => open.id === permission)?.request.tool;
        const isSettled = live.decide(permission, decision);
        if (isSettled) {
          const detail = factsOf(decision, tool);
          options.audit?.record({
            action: 'permission.decided',
            person: personOf(actor),
            subject: id,
            detail,
          });
        }
        return isSettled;
      }),

    recover: () => takeAbandoned({ store, ownership, sessions, logger }),

    async drain(signal) {
      await Promise.all((await sessions.all()).map((live) => live.drain(signal)));
      await journal.flush();
    },

    async close() {
      stopWatching();
      sessions.close();
      const all = await sessions.all();
      await Promise.all(all.map((live) => live.close()));
      try {
        await journal.flush();
        // If that fails, they stay claimed, so that the next owner knows that something is missing.
        for (const { tenure } of all) ownership.release(tenure);
      } catch (error) {
        logger.error({ err: error }, 'the last events could not be stored');
      }
    },
  };
}

const ownerIsGone = new ParleyError(
  'forbidden',
  'The person who owns this session may no longer use it, so nobody else can either.',
);
const notTheirAssistant = new ParleyError('forbidden', 'You may not use this assistant.');
