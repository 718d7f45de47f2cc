// Keeps the process until it is asked to stop, then drains: what runs may end, then the process does.
import type { Logger } from '../domain/logger.ts';

// Ctrl-C under `npm start` arrives twice: from the terminal, and passed on by the script that started us.
const sameRequestMs = 500;

/** The exit code. A second request to stop, or a drain that takes too long, ends the process at once. */
export async function untilStopped(
  app: { close(): Promise<void> },
  { logger, graceMs }: { logger: Logger; graceMs: number },
): Promise<number> {
  const signal = await requestToStop();
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

function requestToStop(): Promise<NodeJS.Signals> {
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

/** Everything is closed, so the process ends by itself; should something be left open, it ends all the same. */
function ending(code: number): number {
  setTimeout(() => process.exit(code), 1_000).unref();
  return code;
}
