// What happens after every turn: a line in the log, metrics, and an entry in the usage book.
import { noUsage } from '@parley/protocol';
import type { Metrics } from '../basics/metrics.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { TurnObserver } from '../domain/turn-observer.ts';
import type { UsageBook, UsageEntry } from '../domain/usage-book.ts';
import { metricsObserver } from '../doors/http/operations/metrics.ts';
import { turnLines } from '../logging/turn-lines.ts';

/** Counts a turn in the usage book. Its tokens and cost are recorded with each request to the model. */
export type CountTurn = (turn: Omit<UsageEntry, 'at' | 'usage'>) => void;

export function turnCounter(book: UsageBook, logger: Logger): CountTurn {
  return ({ person, sessionId, engine, door, model }) => {
    book
      .record({ at: systemClock.now(), person, sessionId, engine, door, model, usage: noUsage })
      .catch((error: unknown) => logger.error({ err: error }, 'could not record the usage of a turn'));
  };
}

export function turnObserver(metrics: Metrics, countTurn: CountTurn, logger: Logger): TurnObserver {
  const observers = [turnLines(logger), metricsObserver(metrics), { turnEnded: countTurn }];
  return {
    turnEnded(record) {
      for (const observer of observers) observer.turnEnded(record);
    },
  };
}
