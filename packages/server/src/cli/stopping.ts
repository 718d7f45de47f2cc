// A clean shutdown: running work may finish, then the process ends.
import type { Logger } from '../domain/logger.ts';

/**
 * Resolves when the process is asked to stop. A second request ends it at once. Signals within `sameRequestMs` count as
 * one request: Ctrl-C under `npm start` arrives twice, from the terminal and from the script that started us.
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

/** Closes the app and returns the exit code. Ends the process if that takes too long. */
export async function drain(
  app: { close(): Promise<void> },
  { logger, graceMs, signal }: { logger: Logger; graceMs: number; signal: NodeJS.Signals },
): Promise<number> {
  logger.info({ signal }, 'stopping');
  try {
    await closeInTime(app, { logger, graceMs });
    logger.info({}, 'stopped');
    return exitSoon(0);
  } catch (error) {
    logger.error({ err: error }, 'could not stop cleanly');
    return exitSoon(1);
  }
}

/** Ends the process if closing takes too long. */
export async function closeInTime(
  app: { close(): Promise<void> },
  { logger, graceMs }: { logger: Logger; graceMs: number },
): Promise<void> {
  const late = setTimeout(() => {
    logger.error({ graceMs }, 'stopped before everything was closed');
    process.exit(1);
  }, graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
  }
}

/**
 * After an uncaught error the state of the process is unknown: logs the error and ends the process. Returns a function
 * that stops doing so.
 */
export function exitOnUncaughtError(logger: Logger): () => void {
  const exit = (error: Error) => {
    logger.error({ err: error }, 'stopped by an uncaught error');
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  return () => void process.off('uncaughtException', exit);
}

/** Node exits once everything is closed. The timer ends the process if something was left open. */
function exitSoon(code: number): number {
  setTimeout(() => process.exit(code), 1_000).unref();
  return code;
}
