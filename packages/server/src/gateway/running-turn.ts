// One turn of a live session, from its start to its stored end. The end is stored before readers get it: a crash never
// leaves a finished turn without everything that was said in it.
import {
  type Decision,
  noUsage,
  type PermissionRequest,
  promptText,
  type Session,
  type SessionEvent,
  say,
  type Turn,
} from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type { Logger } from '../domain/logger.ts';
import { hasMoved, type Tenure } from '../domain/ownership.ts';
import type { Store, UnitOfWork } from '../domain/store.ts';
import type { Timers } from '../domain/timers.ts';
import type { TurnObserver, TurnRecord } from '../domain/turn-observer.ts';
import type { EventLog } from './event-log.ts';
import type { KeptTogether, SessionJournal } from './journal.ts';
import type { PermissionBroker } from './permission-broker.ts';
import type { Publisher } from './publisher.ts';
import { runTurn, type TurnReport } from './turn-runner.ts';
import type { TurnSlot } from './turn-slot.ts';

/** What a session and its turns use. */
export interface SessionParts {
  readonly engine: Engine;
  /** This server's time as the owner of the session. */
  readonly tenure: Tenure;
  /** Writes under the tenure, like the journal. */
  readonly store: Store;
  readonly journal: SessionJournal;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly observer: TurnObserver;
  /** The store keeps at least this many events of a session. */
  readonly keptEvents: number;
}

export interface TurnParts extends SessionParts {
  readonly events: Publisher;
  readonly broker: PermissionBroker;
  readonly slot: TurnSlot;
  readonly publishStart: () => void;
}

/** The abort reason if the session stops the turn, rather than a person. */
export const closing = Symbol('closing');

export class RunningTurn {
  readonly turn: Turn;
  readonly #live: { session: Session };
  readonly #parts: TurnParts;
  readonly #start: TurnStart;
  readonly #controller = new AbortController();
  #ended: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(turn: Turn, live: { session: Session }, parts: TurnParts) {
    this.turn = turn;
    this.#live = live;
    this.#parts = parts;
    this.#start = new TurnStart(turn, parts);
  }

  /** Its end is stored and published. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The session with the title that it gets at the end of this turn, because a notification may need it earlier. */
  get titledSession(): Session {
    return { ...this.#live.session, title: this.#title };
  }

  /** Resolves when the turn is over. Never rejects. */
  run(): Promise<void> {
    this.#ended = this.#run();
    return this.#ended;
  }

  /** Resolves when the turn is over, interrupted or not. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Resolves when the turn is over. */
  async interrupt(reason?: typeof closing): Promise<void> {
    this.#controller.abort(reason);
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { turn } = this;
    const { broker, events, observer, tenure } = this.#parts;
    const report = await this.#execute();
    broker.endTurn(turn.id);
    const held = events.holdBack();
    events.publish(toEndEvent(report), turn.id);
    const isPostponed = this.#controller.signal.reason === closing && !this.#start.isStored;
    await this.#storeEnd(isPostponed ? undefined : report, {
      take: () => held.take(),
      onRefused: () => held.precede(notSaved, turn.id),
    });
    this.#isOver = true;
    observer.turnEnded(toRecord(turn, this.#live.session, report));
    // Readers get the end from the new owner.
    if (tenure.isOver) return;
    held.release();
    await this.#pruneEvents();
  }

  /** Never rejects: the report contains any failure. */
  async #execute(): Promise<TurnReport> {
    const { turn } = this;
    const { engine, events, journal, logger, publishStart, tenure } = this.#parts;
    try {
      if (isReady(engine, this.#live.session)) await this.#start.store();
      // The server may have been paused since the turn was admitted, and another one may have the session.
      if (tenure.isOver) return notStarted;
      publishStart();
    } catch (thrown) {
      if (!hasMoved(thrown)) logger.error({ err: thrown, turn: turn.id }, 'a turn could not start');
      return notStarted;
    }
    return runTurn(turn, this.#live.session, this.#controller.signal, {
      ...this.#parts,
      saveStart: () => this.#start.store(),
      publish: (event) => events.publish(event, turn.id),
      secure: () => events.secure(),
      keep: (writes) => journal.keep(writes),
      room: () => events.room(),
      askPermission: (request, signal) => this.#ask(request, signal),
    });
  }

  /** Others may work while a person decides. */
  async #ask(request: PermissionRequest, signal: AbortSignal): Promise<Decision> {
    const { broker, slot } = this.#parts;
    const asked = broker.ask(this.turn.id, request, signal);
    if (!(asked instanceof Promise)) return asked;
    return slot.lendWhile(asked, () => broker.giveUp(this.turn.id), this.#controller.signal);
  }

  async #storeEnd(report: TurnReport | undefined, end: KeptTogether): Promise<void> {
    const { clock, logger, journal, events } = this.#parts;
    // Only the first turn names the session, so a title that was chosen in the meantime stays.
    const isNamed = this.#live.session.title !== '';
    const touched = { ...(!isNamed && { title: this.#title }), updatedAt: clock.now() };
    try {
      if (!report) return await events.secure();
      this.#live.session = { ...this.#live.session, ...touched };
      await journal.keep((unit) => writeEnd(unit, this.turn, report, touched), end);
    } catch (thrown) {
      if (hasMoved(thrown)) return;
      logger.error({ err: thrown, turn: this.turn.id }, 'the end of a turn could not be stored');
    }
  }

  async #pruneEvents(): Promise<void> {
    const { engine, store, log, keptEvents, logger } = this.#parts;
    const upTo = Math.min(this.turn.after, log.lastSeq - keptEvents);
    if (!engine.storesEvents || upTo <= 0) return;
    await store
      .pruneEvents(this.#live.session.id, upTo)
      .catch((thrown: unknown) => logger.error({ err: thrown }, 'old events could not be pruned'));
  }

  /** A session is named after its first prompt until somebody renames it. */
  get #title(): string {
    const line = promptText(this.turn.prompt).replaceAll(/\s+/g, ' ').trim().slice(0, titleLength);
    // Don't end with half an emoji.
    return this.#live.session.title || line.replace(/[\uD800-\uDBFF]$/, '');
  }
}

const titleLength = 80;

/** Whether the engine would send a prompt at once. */
export function isReady(engine: Engine, { id }: Session): boolean {
  return engine.isReady?.(id) ?? true;
}

/**
 * The point after which a prompt can't be withdrawn, stored before the prompt leaves. A crash before it runs the turn
 * again; a crash after it interrupts the turn.
 */
class TurnStart {
  readonly #turn: Turn;
  readonly #parts: { readonly store: Pick<Store, 'updateTurn'>; readonly clock: Clock };
  #stored: Promise<void> | undefined;

  constructor(turn: Turn, parts: { readonly store: Pick<Store, 'updateTurn'>; readonly clock: Clock }) {
    this.#turn = turn;
    this.#parts = parts;
    if (turn.status === 'running') this.#stored = Promise.resolve();
  }

  get isStored(): boolean {
    return this.#stored !== undefined;
  }

  /** Writes once. Rejects if the store refuses it. */
  store(): Promise<void> {
    const { store, clock } = this.#parts;
    this.#stored ??= store.updateTurn(this.#turn.id, { status: 'running', startedAt: clock.now() });
    return this.#stored;
  }
}

/** The report of a turn whose start could not be stored. */
const notStarted: TurnReport = {
  outcome: 'failed',
  text: '',
  usage: noUsage,
  model: '',
  durationMs: 0,
  firstTokenMs: undefined,
  usedTools: false,
  error: {
    code: 'unavailable',
    message: say`Parley could not write to its database, so the turn did not start. Run \`parley doctor\`.`,
    recoverable: true,
  },
};

export const notSaved: SessionEvent = {
  type: 'notice',
  code: 'not-saved',
  message:
    'This answer is not saved yet, because Parley could not write to its database. Free some space on its disk: Parley saves the answer as soon as there is room, unless it is stopped first.',
};

function toEndEvent({ outcome, text, usage, durationMs, error }: TurnReport): SessionEvent {
  return { type: 'turn.ended', outcome, text, usage, durationMs, ...(error && { error }) };
}

function toRecord(turn: Turn, session: Session, report: TurnReport): TurnRecord {
  const { outcome, error, usage, model, durationMs, firstTokenMs } = report;
  return {
    person: session.person,
    sessionId: session.id,
    turnId: turn.id,
    door: turn.door,
    engine: session.engine,
    outcome,
    ...(error && { error }),
    usage,
    model,
    durationMs,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}

/** Returns undefined, as `CollectWrites` requires. */
function writeEnd(
  unit: UnitOfWork,
  turn: Turn,
  report: TurnReport,
  touched: { readonly title?: string; readonly updatedAt: number },
): undefined {
  const { outcome, text, usage, error } = report;
  const end = { status: outcome, text, usage, endedAt: touched.updatedAt, ...(error && { error }) };
  unit.updateTurn(turn.id, { ...end, ...(mayRunAgain(turn, report) && { key: turn.id }) });
  unit.updateSession(turn.sessionId, touched);
}

/**
 * A program that waits for the answer and retries with the same key after a temporary failure wants an answer, not the
 * failure again. Where people watch the turn, they retry themselves, and a key always means one message.
 */
function mayRunAgain({ canAsk }: Turn, { error, usedTools }: TurnReport): boolean {
  return canAsk === false && error?.recoverable === true && !usedTools;
}
