// Runs one turn: pulls events from the engine, secures the ones that must not be lost, and reports how the turn ended, no
// matter what the engine does.
import {
  type Decision,
  type EngineFailure,
  meaningsOf,
  ParleyError,
  type PermissionRequest,
  type Session,
  type SessionEvent,
  type Turn,
  type TurnEvent,
  type TurnOutcome,
  type Usage,
} from '@parley/protocol';
import { maxKeptText } from '../content/kept-text.ts';
import type { Clock } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type { Logger } from '../domain/logger.ts';
import type { CollectWrites, Store } from '../domain/store.ts';
import type { Timers } from '../domain/timers.ts';
import { TurnProgress } from './turn-progress.ts';

/** An engine that is asked to stop gets this long to finish. */
const stopGraceMs = 5_000;

export interface TurnEnvironment {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Saves that the prompt is about to leave; durable when it resolves. */
  saveStart(): Promise<void>;
  /** Numbers the event and sends it to every reader. */
  publish(event: SessionEvent): void;
  /** Resolves when everything published so far is stored. */
  secure(): Promise<void>;
  /** Stores this, or keeps it until there is room. */
  keep(writes: CollectWrites): Promise<boolean>;
  /** Resolves when there is room for more events. */
  room(): Promise<void> | undefined;
  askPermission(request: PermissionRequest, signal: AbortSignal): Promise<Decision>;
}

/** What is known about a turn when it is over. */
export interface TurnReport {
  readonly outcome: TurnOutcome;
  readonly text: string;
  readonly usage: Usage;
  readonly model: string;
  readonly durationMs: number;
  readonly firstTokenMs: number | undefined;
  /** If so, running the prompt again could repeat what the tools did. */
  readonly usedTools: boolean;
  readonly error: Omit<EngineFailure, 'type'> | undefined;
}

export async function runTurn(
  turn: Turn,
  session: Session,
  signal: AbortSignal,
  environment: TurnEnvironment,
): Promise<TurnReport> {
  const { clock, timers, logger } = environment;
  const startedAt = clock.now();
  const progress = new TurnProgress();
  let firstTokenMs: number | undefined;
  let error: Omit<EngineFailure, 'type'> | undefined;

  try {
    const source = new Stoppable(events(turn, session, signal, environment), signal, timers);
    try {
      for (let event = await source.next(); event !== undefined; event = await source.next()) {
        if (event === 'stopped') break;
        if (event.type === 'failed') {
          const { type: _, ...failure } = event;
          error = failure;
          break;
        }
        if (meaningsOf(event).some(isFromModel)) firstTokenMs ??= clock.now() - startedAt;
        const wasCut = progress.isCut;
        progress.add(event);
        await handle(event, turn, session, environment);
        if (progress.isCut && !wasCut) environment.publish(answerCut());
      }
    } finally {
      source.release();
    }
  } catch (thrown) {
    const failure = ParleyError.from(thrown);
    if (failure.code === 'internal')
      logger.error({ err: thrown, turn: turn.id }, 'a turn failed unexpectedly');
    error = { code: failure.code, message: failure.message, recoverable: true };
  }

  // A failure after an interrupt counts as interrupted.
  const interrupted = signal.aborted;
  return {
    outcome: interrupted ? 'interrupted' : error ? 'failed' : 'completed',
    text: progress.text,
    usage: progress.usage,
    model: progress.model,
    durationMs: clock.now() - startedAt,
    firstTokenMs,
    usedTools: progress.usedTools,
    error: interrupted ? undefined : error,
  };
}

function answerCut(): SessionEvent {
  const characters = maxKeptText.toLocaleString('en');
  return {
    type: 'notice',
    code: 'answer-cut',
    message: `This answer is very long. You see all of it now, but Parley keeps only its first ${characters} characters.`,
  };
}

/** The prompt itself and the engine's notices come before the first token. */
function isFromModel(event: SessionEvent): boolean {
  switch (event.type) {
    case 'text.delta':
    case 'thinking.delta':
    case 'tool.started':
      return true;
    case 'message':
      return event.role === 'assistant';
    default:
      return false;
  }
}

/**
 * Messages are stored at once, or kept until there is room; a tool runs only after its start is stored. Other events pass
 * straight through.
 */
async function handle(
  event: TurnEvent,
  turn: Turn,
  session: Session,
  environment: TurnEnvironment,
): Promise<void> {
  if (event.type === 'message' && environment.engine.storesEvents) {
    await environment.keep((unit) => {
      unit.appendMessages(session.id, turn.id, [event]);
    });
  }
  environment.publish(event);
  if (event.type === 'tool.started') await environment.secure();
  else await environment.room();
}

function events(turn: Turn, session: Session, signal: AbortSignal, environment: TurnEnvironment) {
  return environment.engine.run({
    id: turn.id,
    session,
    prompt: turn.prompt,
    door: turn.door,
    signal,
    canAsk: turn.canAsk ?? true,
    saveStart: () => environment.saveStart(),
    history: (isWanted) => environment.store.recentMessages(session.id, isWanted),
    askPermission: (request, own) =>
      environment.askPermission(request, own ? AbortSignal.any([signal, own]) : signal),
  });
}

type Stopped = 'stopped';

/** Pulls from a source. Once the signal aborts, the source gets some time to end on its own; then it is abandoned. */
class Stoppable<T> {
  readonly #iterator: AsyncIterator<T>;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  #cancelGrace: (() => void) | undefined;
  #isLate = false;
  #isDone = false;
  #giveUp: () => void = () => undefined;

  constructor(source: AsyncIterable<T>, signal: AbortSignal, timers: Timers) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#onAbort = () => {
      this.#cancelGrace = timers.after(stopGraceMs, () => {
        this.#isLate = true;
        this.#giveUp();
      });
    };
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The next item, `undefined` at the end, `stopped` if the source didn't end in time. */
  async next(): Promise<T | undefined | Stopped> {
    if (this.#isLate) return 'stopped';
    const next = await new Promise<IteratorResult<T> | Stopped>((resolve, reject) => {
      this.#giveUp = () => resolve('stopped');
      this.#iterator.next().then(resolve, reject);
    });
    if (next === 'stopped') return next;
    if (!next.done) return next.value;
    this.#isDone = true;
    return undefined;
  }

  release(): void {
    this.#cancelGrace?.();
    this.#signal.removeEventListener('abort', this.#onAbort);
    // A source that hangs would make `return` hang too, so nobody waits for it.
    if (!this.#isDone) void this.#iterator.return?.()?.then(undefined, () => undefined);
  }
}
