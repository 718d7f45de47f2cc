// What is known of a turn when it is over, and how those are told of it who read the session or count turns. Pure.
import {
  type EngineFailure,
  noUsage,
  type Session,
  type SessionEvent,
  type Turn,
  type TurnOutcome,
  type Usage,
} from '@parley/protocol';
import type { TurnRecord } from '../domain/turn-observer.ts';

export interface TurnReport {
  readonly outcome: TurnOutcome;
  readonly text: string;
  readonly usage: Usage;
  readonly model: string;
  readonly durationMs: number;
  readonly firstTokenMs: number | undefined;
  readonly error: Omit<EngineFailure, 'type'> | undefined;
}

/** The report of a turn whose start the store refused. */
export const notStarted: TurnReport = {
  outcome: 'failed',
  text: '',
  usage: noUsage,
  model: '',
  durationMs: 0,
  firstTokenMs: undefined,
  error: {
    code: 'unavailable',
    message: 'Parley could not write to its database, so the turn did not start. Run `parley doctor`.',
    recoverable: true,
  },
};

export function toEndEvent({ outcome, text, usage, durationMs, error }: TurnReport): SessionEvent {
  return { type: 'turn.ended', outcome, text, usage, durationMs, ...(error && { error }) };
}

export function toRecord(turn: Turn, session: Session, report: TurnReport): TurnRecord {
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
