// Logs one line for each turn.
import { totalTokens } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';
import type { TurnObserver } from '../domain/turn-observer.ts';

export function turnLines(logger: Logger): TurnObserver {
  return {
    turnEnded(record) {
      const { person, sessionId, turnId, door, engine, outcome, error, usage } = record;
      const { durationMs, firstTokenMs } = record;
      const fields = {
        person,
        session: sessionId,
        turn: turnId,
        door,
        engine,
        tokens: totalTokens(usage),
        costUsd: Number(usage.costUsd.toFixed(6)),
        durationMs: Math.round(durationMs),
        ...(firstTokenMs === undefined ? {} : { firstTokenMs: Math.round(firstTokenMs) }),
        outcome,
        ...(error && { error: error.code, reason: error.message }),
      };
      if (outcome === 'failed') logger.warn(fields, 'turn');
      else logger.info(fields, 'turn');
    },
  };
}
