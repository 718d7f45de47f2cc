// Looks for sessions that have prompts to answer but no owner, because a server stopped, and lets this server take them.
import type { Logger } from '../domain/logger.ts';
import type { Timers } from '../domain/timers.ts';

/** Also the longest that a prompt waits after a server has handed over its session. */
const everyMs = 500;

/** Returns a function that stops it. `sweep` is never called twice at once. */
export function startSweeper(sweep: () => Promise<void>, timers: Timers, logger: Logger): () => void {
  let cancel = timers.after(everyMs, run);
  let isStopped = false;

  async function sweepOnce(): Promise<void> {
    try {
      await sweep();
    } catch (error) {
      logger.warn({ err: error }, 'could not look for sessions of stopped servers');
    }
    if (!isStopped) cancel = timers.after(everyMs, run);
  }

  function run(): void {
    void sweepOnce();
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
