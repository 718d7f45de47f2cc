// One session in memory: its event log, its queue, the turn that runs and the permissions that wait. It runs one turn at
// a time; everything else about a session is in the store.
import {
  type CodeModel,
  type GatewayEvent,
  type PendingPermission,
  type Prompt,
  type QueuedPrompt,
  type Seq,
  type Session,
  startOf,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { Allowances } from '../domain/allowances.ts';
import type { NewId } from '../domain/clock.ts';
import { confirmOwnership, movedAway, type Tenure } from '../domain/ownership.ts';
import type { Admission } from '../domain/store.ts';
import type { EventLog } from './event-log.ts';
import { PermissionBroker } from './permission-broker.ts';
import { Publisher } from './publisher.ts';
import { type ActivityReport, reportActivity } from './report-activity.ts';
import { closing, isReady, RunningTurn, type SessionParts } from './running-turn.ts';
import { type Place, TurnQueue } from './turn-queue.ts';
import { type SharedSlots, TurnSlot } from './turn-slot.ts';

export interface LiveSessionParts extends SessionParts, ActivityReport {
  readonly newId: NewId;
  readonly maxQueued: number;
  /** Shared by all sessions with the same engine. */
  readonly slots: SharedSlots;
  /** Tools allowed for the rest of the session. */
  readonly allowed: Allowances;
  /** Prompts that an earlier owner left. */
  readonly waiting: readonly Turn[];
}

export class LiveSession {
  session: Session;
  readonly log: EventLog;
  readonly tenure: Tenure;
  readonly storesEvents: boolean;
  readonly #parts: LiveSessionParts;
  readonly #events: Publisher;
  readonly #broker: PermissionBroker;
  readonly #slot: TurnSlot;
  readonly #queue: TurnQueue;
  #running: RunningTurn | undefined;
  #turnAfter: Seq;
  #models: readonly CodeModel[] | undefined;

  constructor(session: Session, parts: LiveSessionParts) {
    this.session = session;
    this.log = parts.log;
    this.tenure = parts.tenure;
    this.storesEvents = parts.engine.storesEvents;
    this.#parts = parts;
    this.#turnAfter = parts.log.lastSeq;
    this.#models = parts.engine.models?.();
    this.#events = new Publisher({
      ...parts,
      sessionId: session.id,
      journal: this.storesEvents ? parts.journal : undefined,
      onPublished: (event) =>
        reportActivity(event, () => this.#running?.titledSession ?? this.session, parts),
    });
    this.#slot = new TurnSlot(parts.slots, session.person);
    this.#queue = new TurnQueue({
      most: parts.maxQueued,
      slot: this.#slot,
      run: (turn) => this.#run(turn),
      onBlocked: () => this.#publishQueue(),
      onAhead: (ahead) => this.#events.publish({ type: 'queue.blocked', ahead }),
    });
    this.#broker = new PermissionBroker(parts.allowed, parts.newId, (turnId, event) => {
      this.#events.publish(event, turnId);
    });
  }

  /** In step with the log: a turn whose end is in the log no longer runs. */
  get running(): TurnId | undefined {
    return this.#running?.isOver === false ? this.#running.turn.id : undefined;
  }

  /** The number before the newest turn's first event, or as close to it as the log still reaches. */
  get turnAfter(): Seq {
    return Math.max(this.#turnAfter, this.log.firstSeq - 1);
  }

  get queue(): readonly QueuedPrompt[] {
    return this.#queue.prompts;
  }

  /** How many turns of other sessions come before the first prompt, if it waits only for them. */
  get ahead(): number | undefined {
    return this.#queue.ahead;
  }

  /** The prompts that wait or run. */
  get prompts(): readonly Prompt[] {
    const waiting = this.queue.map(({ prompt }) => prompt);
    return this.#running ? [...waiting, this.#running.turn.prompt] : waiting;
  }

  get permissions(): readonly PendingPermission[] {
    return this.#broker.pending();
  }

  /**
   * Reserves a place for a prompt that is being admitted; none if the queue is full. A prompt for the front is admitted
   * as running, which saves a write. Call `enqueue` or `release` with the place.
   */
  reservePlace(): Place | undefined {
    return this.#queue.reserve({
      canStart: !this.#queue.isClosed && isReady(this.#parts.engine, this.session),
    });
  }

  admit(turn: Turn, options: { readonly newSession: boolean }): Promise<Admission> {
    if (turn.status === 'running') this.#parts.engine.expect?.(this.session, turn.id);
    return this.#parts.store.admit(turn, this.session, options);
  }

  /** Rejects with `moved` if another server owns the session, even if this one has not noticed yet. */
  confirmOwnership(): Promise<void> {
    return confirmOwnership(this.#parts.store);
  }

  /** Runs the prompts that an earlier owner left. Resolves when the queue is empty; undefined if there are none. */
  resume(): Promise<unknown> | undefined {
    const { waiting, logger } = this.#parts;
    if (waiting.length === 0) return undefined;
    return Promise.all(waiting.map((turn) => this.enqueue(turn))).catch((error: unknown) =>
      logger.error({ err: error }, 'a turn ended unexpectedly'),
    );
  }

  /**
   * Adds an admitted turn. If nothing runs it starts at once, and the call resolves when the queue is empty again;
   * otherwise it waits behind the others, and the call resolves at once.
   */
  async enqueue(turn: Turn, place?: Place): Promise<void> {
    if (this.#queue.isClosed) return this.#putBack(turn, place);
    await this.#queue.add(turn, place);
    if (this.#queue.length > 0) this.#publishQueue();
  }

  /** The reserved place is not needed: prompts that arrived in the meantime run. Resolves like `enqueue`. */
  release(place: Place): Promise<void> {
    return this.#queue.release(place);
  }

  async withdraw(turnId: TurnId): Promise<boolean> {
    if (!this.#queue.remove(turnId)) return false;
    this.#publishQueue();
    await this.#parts.store.updateTurn(turnId, { status: 'withdrawn', endedAt: this.#parts.clock.now() });
    return true;
  }

  /** Turns that `order` doesn't name keep their order behind the others. */
  async reorder(order: readonly TurnId[]): Promise<void> {
    if (this.#queue.length === 0) return;
    const reordered = this.#queue.reorder(order);
    this.#publishQueue();
    // A turn that runs but has not started is stored as waiting.
    const first = this.#running ? [this.#running.turn.id] : [];
    await this.#parts.store.reorderTurns(this.session.id, [...first, ...reordered]);
  }

  /** Resolves once the running turn has ended, or a blocked one was withdrawn; false if there is neither. */
  async interrupt(reason?: typeof closing): Promise<boolean> {
    const running = this.#running;
    const [next] = this.ahead === undefined ? [] : this.queue;
    if (!running) return next !== undefined && this.withdraw(next.turnId);
    await running.interrupt(reason);
    return true;
  }

  /** Withdraws what waits and interrupts what runs. */
  async stop(): Promise<void> {
    for (const { turnId } of this.queue) await this.withdraw(turnId);
    await this.interrupt();
  }

  /** Events outside of any turn are published without a turn's id. */
  async wake(): Promise<void> {
    await this.#parts.engine.wake?.(this.session, (event) => this.#events.publish(event, this.running));
    this.#publishModels();
  }

  /** Call it when the session is no longer in memory. */
  unloaded(): void {
    this.#parts.engine.unwatch?.(this.session.id);
  }

  async steer(prompt: Prompt): Promise<boolean> {
    if (!this.#running) return false;
    return (await this.#parts.engine.steer?.(this.session, prompt)) ?? false;
  }

  /** The engine checks the new settings before they are stored. */
  async configure(settings: Session['settings']): Promise<Session> {
    const changed: Session = { ...this.session, settings: { ...this.session.settings, ...settings } };
    await this.#parts.engine.configure?.(changed, settings);
    await this.#parts.store.updateSession(this.session.id, { settings: changed.settings });
    this.session = { ...this.session, settings: changed.settings };
    const changes = visibleChanges(settings);
    if (changes) this.#events.publish(changes);
    return this.session;
  }

  decide(...args: Parameters<PermissionBroker['decide']>): boolean {
    return this.#broker.decide(...args);
  }

  /** Ends the running turn and starts no other; turns that have not started stay admitted in the store. */
  async close(): Promise<void> {
    this.#queue.close();
    await this.interrupt(closing);
    await this.#queue.frontIsFree;
    this.log.end();
  }

  /**
   * Lets the running turn finish until the signal aborts, and starts no other. Readers then look for another owner,
   * which also runs the waiting turns.
   */
  async drain(signal: AbortSignal): Promise<void> {
    this.#queue.close();
    const stop = () => void this.interrupt(closing);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await this.#running?.ended;
    await this.#queue.frontIsFree;
    signal.removeEventListener('abort', stop);
    this.log.end(movedAway());
  }

  /** Another server owns the session, or soon will: stops at once and stores nothing. Readers look for the new owner. */
  lose(): void {
    this.#queue.close();
    this.log.end(movedAway());
    void this.interrupt(closing);
  }

  async #run(turn: Turn): Promise<void> {
    this.#running = new RunningTurn(turn, this, {
      ...this.#parts,
      events: this.#events,
      broker: this.#broker,
      slot: this.#slot,
      publishStart: () => this.#publishStart(turn),
    });
    await this.#running.run();
    this.#running = undefined;
  }

  /** The turn was admitted as running, but the session closed first: it goes back to the queue. */
  async #putBack({ id, status }: Turn, place: Place | undefined): Promise<void> {
    try {
      if (status === 'running') await this.#parts.store.updateTurn(id, { status: 'queued' });
    } finally {
      if (place) await this.#queue.release(place);
    }
  }

  #publishStart(turn: Turn): void {
    this.#turnAfter = this.log.lastSeq;
    this.#events.publish(startOf(turn), turn.id);
    if (this.#queue.length > 0) this.#publishQueue();
  }

  #publishQueue(): void {
    this.#events.publish({ type: 'queue.changed', prompts: [...this.queue] } satisfies GatewayEvent);
  }

  /** A new process may offer other models than the last one. */
  #publishModels(): void {
    const models = this.#parts.engine.models?.();
    if (models === this.#models || models === undefined) return;
    this.#models = models;
    this.#events.publish({ type: 'models.changed', models: [...models] });
  }
}

/** The settings that readers learn about. They don't need the others, and some are secret. */
function visibleChanges(chosen: Session['settings']): GatewayEvent | undefined {
  const names = (['model', 'permissionMode'] as const).filter((name) => name in chosen);
  if (names.length === 0) return undefined;
  const values = names.map((name) => [name, typeof chosen[name] === 'string' ? chosen[name] : null]);
  return { type: 'settings.changed', ...Object.fromEntries(values) };
}
