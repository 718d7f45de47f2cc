// Runs something on one server at a time, such as the bots, because a bot may only be connected once. When that server
// stops, another one starts it.
import { pause } from '../basics/backoff.ts';
import type { Logger } from '../domain/logger.ts';
import {
  hasMoved,
  type OtherServer,
  OwnedElsewhere,
  type Ownership,
  type Tenure,
} from '../domain/ownership.ts';
import type { Timers } from '../domain/timers.ts';

export interface OnOneServerParts {
  readonly ownership: Pick<Ownership, 'claim' | 'release'>;
  readonly timers: Timers;
  readonly logger: Logger;
  /** The id under which it is owned. It must not be the id of a session. */
  readonly name: string;
  readonly start: () => Promise<{ close(): Promise<void> }>;
}

const tryEveryMs = 1_000;

/** Tries to start it until it is closed. */
export function runOnOneServer({ ownership, timers, logger, name, start }: OnOneServerParts) {
  const stop = new AbortController();
  let owner: OtherServer | undefined;
  const running = loop();

  async function loop(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        // It is owned like a session.
        const { tenure } = await ownership.claim({ id: name, engine: 'messages-api' });
        owner = undefined;
        await runUntilOver(tenure);
      } catch (error) {
        owner = error instanceof OwnedElsewhere ? error.owner : undefined;
        if (!hasMoved(error)) logger.warn({ err: error, name }, 'could not be started here');
      }
      await pause(tryEveryMs, stop.signal, timers);
    }
  }

  async function runUntilOver(tenure: Tenure): Promise<void> {
    try {
      const started = await start();
      await overOrStopped(tenure);
      await started.close();
    } finally {
      ownership.release(tenure);
    }
  }

  function overOrStopped(tenure: Tenure): Promise<void> {
    return new Promise((resolve) => {
      if (tenure.isOver || stop.signal.aborted) return resolve();
      tenure.onOver(resolve);
      stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  return {
    /** The server on which it runs; undefined if that is this one, or unknown. */
    owner: () => owner,
    async close(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}
