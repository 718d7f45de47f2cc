// Stopping in good order: what runs may end, then the process does.
import type { Logger } from '../domain/logger.ts';

/**
 * Resolves when the process is asked to stop. From then on, another request ends it at once. Signals within
 * `sameRequestMs` count as one request: Ctrl-C under `npm start` arrives twice, from the terminal and from the
 * script that started us.
 */
export function requestToStop(sameRequestMs = 500): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const asked = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (askedAt !== undefined && now - askedAt > sameRequestMs) process.exit(1);
      askedAt ??= now;
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, asked);
  });
}

/** Closes the app and gives the exit code. Where that takes too long, the process ends at once. */
export async function drain(
  app: { close(): Promise<void> },
  { logger, graceMs, signal }: { logger: Logger; graceMs: number; signal: NodeJS.Signals },
): Promise<number> {
  logger.info({ signal }, 'stopping');
  const late = setTimeout(() => {
    logger.error({ graceMs }, 'stopped before everything was done');
    process.exit(1);
  }, graceMs);
  try {
    await app.close();
    logger.info({}, 'stopped');
    return ending(0);
  } catch (error) {
    logger.error({ err: error }, 'could not stop in good order');
    return ending(1);
  } finally {
    clearTimeout(late);
  }
}

/** An error that nobody caught leaves the process in an unknown state: it is logged, and the process ends. */
export function endOnDefect(logger: Logger): void {
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'ended by a defect');
    process.exit(1);
  });
}

/** Everything is closed, so the process ends by itself; should something be left open, it ends all the same. */
function ending(code: number): number {
  setTimeout(() => process.exit(code), 1_000).unref();
  return code;
}
