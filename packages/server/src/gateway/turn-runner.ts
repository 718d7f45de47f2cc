// Runs one turn: pulls events from the engine, makes sure of those that must not be lost, and ends the turn
// exactly once, whatever the engine does.
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
} from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import { canAskThrough } from '../domain/doors.ts';
import type { Engine } from '../domain/engine.ts';
import type { Logger } from '../domain/logger.ts';
import type { Store } from '../domain/store.ts';
import { Stoppable } from './stoppable.ts';
import { TurnProgress } from './turn-progress.ts';
import type { TurnReport } from './turn-report.ts';

/** An engine that was told to stop gets this long to say its last words. */
const stopGraceMs = 5_000;

export interface TurnEnvironment {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves when it is kept that the prompt is about to leave. */
  begin(): Promise<void>;
  /** Numbers the event and hands it to every reader. */
  publish(event: SessionEvent): void;
  /** Resolves when all that was published is kept. */
  secure(): Promise<void>;
  /** Resolves when there is room for more events. */
  room(): Promise<void> | undefined;
  askPermission(request: PermissionRequest, signal: AbortSignal): Promise<Decision>;
}

export async function runTurn(
  turn: Turn,
  session: Session,
  signal: AbortSignal,
  environment: TurnEnvironment,
): Promise<TurnReport> {
  const { clock, logger } = environment;
  const startedAt = clock.now();
  const progress = new TurnProgress();
  let firstTokenMs: number | undefined;
  let error: Omit<EngineFailure, 'type'> | undefined;

  try {
    const source = new Stoppable(events(turn, session, signal, environment), signal, stopGraceMs);
    try {
      for (let event = await source.next(); event !== undefined; event = await source.next()) {
        if (event === 'stopped') break;
        if (event.type === 'failed') {
          error = { code: event.code, message: event.message, recoverable: event.recoverable };
          break;
        }
        if (meaningsOf(event).some(isFromModel)) firstTokenMs ??= clock.now() - startedAt;
        progress.add(event);
        await handle(event, turn, session, environment);
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

  // An engine that fails because it was interrupted was interrupted.
  const interrupted = signal.aborted;
  return {
    outcome: interrupted ? 'interrupted' : error ? 'failed' : 'completed',
    text: progress.text,
    usage: progress.usage,
    model: progress.model,
    durationMs: clock.now() - startedAt,
    firstTokenMs,
    error: interrupted ? undefined : error,
  };
}

/** Before its first token come the prompt itself and what the engine has to say. */
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

/** Messages are kept at once, and a tool runs only after its start is kept; other events go straight through. */
async function handle(
  event: TurnEvent,
  turn: Turn,
  session: Session,
  environment: TurnEnvironment,
): Promise<void> {
  if (event.type === 'message' && environment.engine.keepsEvents) {
    await environment.store.appendMessages(session.id, turn.id, [event]);
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
    signal,
    canAsk: canAskThrough(turn.door),
    begin: () => environment.begin(),
    history: (isWanted) => environment.store.recentMessages(session.id, isWanted),
    askPermission: (request, own) =>
      environment.askPermission(request, own ? AbortSignal.any([signal, own]) : signal),
  });
}
