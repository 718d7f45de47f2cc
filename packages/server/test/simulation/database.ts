// The database of the simulation: a store in memory in which each call happens at one moment, and the connection of a
// process to it, with delays, cuts and lost answers.
import {
  type Envelope,
  type Message,
  ParleyError,
  type Seq,
  type Session,
  type SessionId,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { BranchStore } from '../../src/domain/branch-store.ts';
import type { Tenure } from '../../src/domain/ownership.ts';
import type { ServerRegistry } from '../../src/domain/server-registry.ts';
import type { Admission, CollectWrites, Store, TurnChange, UnitOfWork } from '../../src/domain/store.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

export type SimulatedStore = Store & { readonly branches: BranchStore };

/** Only what servers need to run turns: no search, no branches. */
export class MemoryStore {
  readonly sessions = new Map<SessionId, Session>();
  readonly turns = new Map<TurnId, Turn>();
  readonly events = new Map<SessionId, Envelope[]>();
  readonly messages = new Map<SessionId, { readonly turnId: TurnId; readonly message: Message }[]>();
  readonly #keys = new Map<string, TurnId>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async together(collect: CollectWrites): Promise<void> {
    const unit: UnitOfWork = {
      updateSession: (id, change) => void this.#updateSession(id, change),
      updateTurn: (id, change) => this.#updateTurn(id, change),
      appendMessages: (sessionId, turnId, messages) => this.#appendMessages(sessionId, turnId, messages),
      appendEvents: (events) => this.#appendEvents(events),
    };
    collect(unit);
  }

  async getSession(id: SessionId): Promise<Session | undefined> {
    return this.sessions.get(id);
  }

  async createSession(session: Session): Promise<void> {
    this.sessions.set(session.id, session);
  }

  async updateSession(id: SessionId, change: Partial<Session>): Promise<boolean> {
    return this.#updateSession(id, change);
  }

  async admit(turn: Turn, session: Session): Promise<Admission> {
    const key = `${session.person}\n${turn.key}`;
    const earlier = this.turns.get(this.#keys.get(key) ?? '');
    if (earlier) return { turn: earlier, session, fresh: false };
    this.#keys.set(key, turn.id);
    this.turns.set(turn.id, turn);
    return { turn, session, fresh: true };
  }

  async findAdmission(person: string, key: string): Promise<Admission | undefined> {
    const turn = this.turns.get(this.#keys.get(`${person}\n${key}`) ?? '');
    const session = turn && this.sessions.get(turn.sessionId);
    return turn && session && { turn, session, fresh: false };
  }

  async listTurns(sessionId: SessionId, options: { status?: readonly Turn['status'][] } = {}) {
    const isWanted = ({ status }: Turn) => options.status?.includes(status) ?? true;
    return [...this.turns.values()].filter((turn) => turn.sessionId === sessionId && isWanted(turn));
  }

  async updateTurn(id: TurnId, change: TurnChange): Promise<void> {
    this.#updateTurn(id, change);
  }

  async unfinishedTurns(): Promise<readonly Turn[]> {
    return [...this.turns.values()].filter(({ status }) => status === 'queued' || status === 'running');
  }

  async appendMessages(sessionId: SessionId, turnId: TurnId, messages: readonly Message[]): Promise<void> {
    this.#appendMessages(sessionId, turnId, messages);
  }

  async appendEvents(events: readonly Envelope[]): Promise<void> {
    this.#appendEvents(events);
  }

  async eventsAfter(sessionId: SessionId, after: Seq, limit: number): Promise<readonly Envelope[]> {
    return (this.events.get(sessionId) ?? []).filter(({ seq }) => seq > after).slice(0, limit);
  }

  async lastSeq(sessionId: SessionId): Promise<Seq> {
    return this.events.get(sessionId)?.at(-1)?.seq ?? 0;
  }

  async storedBytes(): Promise<number> {
    return 0;
  }

  #updateSession(id: SessionId, change: Partial<Session>): boolean {
    const session = this.sessions.get(id);
    if (session) this.sessions.set(id, { ...session, ...change });
    return session !== undefined;
  }

  #updateTurn(id: TurnId, change: TurnChange): void {
    const turn = this.turns.get(id);
    if (turn) this.turns.set(id, { ...turn, ...change });
  }

  #appendMessages(sessionId: SessionId, turnId: TurnId, messages: readonly Message[]): void {
    const all = this.messages.get(sessionId) ?? [];
    this.messages.set(sessionId, [...all, ...messages.map((message) => ({ turnId, message }))]);
  }

  #appendEvents(events: readonly Envelope[]): void {
    for (const envelope of events) {
      const all = this.events.get(envelope.sessionId) ?? [];
      if (envelope.seq <= (all.at(-1)?.seq ?? 0))
        this.#world.violated(`number ${envelope.seq} of ${envelope.sessionId} is stored twice`);
      if (envelope.event.type === 'turn.ended') this.#world.tell(`${envelope.turnId} has ended`);
      all.push(envelope);
      this.events.set(envelope.sessionId, all);
    }
  }
}

/** How long a process waits for a database that is away, and how long to learn whether a commit succeeded. */
const patienceMs = 8_000;
const commitPatienceMs = 30_000;

interface CallListener {
  onSend(): void;
  /** Only of a call that was refused. */
  onAnswer(): void;
}

export class Connection {
  isCut = false;
  /** Only heartbeats get lost, for example because the database is overloaded. */
  losesHeartbeats = false;
  /** Some calls fail. */
  isFlaky = false;
  /** The process is paused in the middle of its next write as the owner of a session, the worst moment to be paused. */
  pausesInWrite = false;
  readonly #world: World;
  readonly #process: SimulatedProcess;

  constructor(world: World, process: SimulatedProcess) {
    this.#world = world;
    this.#process = process;
  }

  registry(registry: ServerRegistry): ServerRegistry {
    return new Proxy(registry, {
      get: (target, name: keyof ServerRegistry) => {
        if (name === 'under') {
          return (tenures: readonly Tenure[], onOver: (tenure: Tenure) => void) => {
            const over: Tenure[] = [];
            const fenced = target.under(tenures, (tenure) => over.push(tenure));
            return this.store(fenced as SimulatedStore, {
              onSend: () => this.#pauseInWrite(),
              onAnswer: () => over.splice(0).forEach(onOver),
            });
          };
        }
        const method = target[name] as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => {
          if (name === 'renew' && this.losesHeartbeats) return Promise.reject(unreachable());
          return this.#call(() => method.apply(target, args));
        };
      },
    });
  }

  store(store: SimulatedStore, listener: Partial<CallListener> = {}): SimulatedStore {
    return new Proxy(store, {
      get: (target, name: keyof Store) => {
        const method = target[name] as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => {
          // What is written is decided now, not when it arrives.
          const sent = name === 'together' ? [recorded(args[0] as CollectWrites)] : args;
          return this.#call(() => method.apply(target, sent), listener);
        };
      },
    });
  }

  #pauseInWrite(): void {
    if (this.pausesInWrite) this.#process.pause();
    this.pausesInWrite = false;
  }

  #call<T>(work: () => Promise<T>, { onSend, onAnswer }: Partial<CallListener> = {}): Promise<T> {
    const { chance } = this.#world;
    return new Promise((resolve, reject) => {
      const fail = (ms: number) => {
        this.#world.later(ms, () => this.#process.deliver(() => reject(unreachable())));
      };
      const arrive = () => {
        const settle = (answer: () => void) => this.#answer(answer, fail, this.#world.now + commitPatienceMs);
        work().then(
          (value) => settle(() => resolve(value)),
          (error: unknown) =>
            settle(() => {
              onAnswer?.();
              reject(error instanceof Error ? error : unreachable());
            }),
        );
      };
      const orTimeOut = (then: () => void) => (this.isCut ? fail(chance.between(50, patienceMs)) : then());
      // It arrives even if the process is killed meanwhile. A paused one may send it only when it resumes.
      const send = () => {
        onSend?.();
        this.#world.later(this.#delay(), () => {
          if (this.#process.isPaused && chance.is(0.5)) this.#process.deliver(() => orTimeOut(arrive));
          else orTimeOut(arrive);
        });
      };
      if (this.isFlaky && chance.is(0.3)) fail(chance.between(1, 100));
      else orTimeOut(send);
    });
  }

  /** If the connection is cut, the process asks again what happened until it knows. */
  #answer(answer: () => void, fail: (ms: number) => void, until: number): void {
    this.#world.later(this.#delay(), () => {
      if (!this.isCut) this.#process.deliver(answer);
      else if (this.#world.now > until) fail(0);
      else this.#world.later(500, () => this.#answer(answer, fail, until));
    });
  }

  #delay(): number {
    const { chance } = this.#world;
    return chance.is(0.01) ? chance.between(50, 1_500) : chance.between(0.2, 3);
  }
}

function recorded(collect: CollectWrites): CollectWrites {
  const writes: ((unit: UnitOfWork) => void)[] = [];
  collect({
    updateSession: (...args) => void writes.push((unit) => unit.updateSession(...args)),
    updateTurn: (...args) => void writes.push((unit) => unit.updateTurn(...args)),
    appendMessages: (...args) => void writes.push((unit) => unit.appendMessages(...args)),
    appendEvents: (...args) => void writes.push((unit) => unit.appendEvents(...args)),
  });
  return (unit) => {
    for (const write of writes) write(unit);
  };
}

function unreachable(): ParleyError {
  return new ParleyError('unavailable', 'The database cannot be reached.');
}
