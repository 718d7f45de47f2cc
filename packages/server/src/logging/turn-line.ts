// The one line that is logged for each turn.
import { type EngineName, type SessionId, type TurnOutcome, totalTokens, type Usage } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';

export interface EndedTurn {
  readonly person: string;
  readonly session: SessionId;
  readonly door: string;
  readonly engine: EngineName;
  readonly outcome: TurnOutcome;
  readonly usage: Usage;
  readonly durationMs: number;
  /** Why it failed: a code, never the text, which may quote a person. */
  readonly errorCode?: string;
}

export function logTurn(logger: Logger, turn: EndedTurn): void {
  const { person, session, door, engine, outcome, usage, errorCode } = turn;
  const fields = {
    person,
    session,
    door,
    engine,
    tokens: totalTokens(usage),
    costUsd: usage.costUsd,
    durationMs: Math.round(turn.durationMs),
    outcome,
    ...(errorCode === undefined ? {} : { errorCode }),
  };
  if (outcome === 'failed') logger.warn(fields, 'turn');
  else logger.info(fields, 'turn');
}
