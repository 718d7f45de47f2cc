// Logs the one line that each turn leaves.
import { totalTokens } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';
import type { TurnObserver } from '../domain/turn-observer.ts';

export function turnLines(logger: Logger): TurnObserver {
  return {
    turnEnded({ person, sessionId, turnId, door, engine, outcome, usage, durationMs, firstEventMs }) {
      const fields = {
        person,
        session: sessionId,
        turn: turnId,
        door,
        engine,
        tokens: totalTokens(usage),
        costUsd: usage.costUsd,
        durationMs: Math.round(durationMs),
        ...(firstEventMs === undefined ? {} : { firstEventMs: Math.round(firstEventMs) }),
        outcome,
      };
      if (outcome === 'failed') logger.warn(fields, 'turn');
      else logger.info(fields, 'turn');
    },
  };
}
