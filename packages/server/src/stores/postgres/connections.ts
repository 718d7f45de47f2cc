// Connections to PostgreSQL: few, with time limits. Those that break are replaced, with growing pauses in between.
import type pg from 'pg';
import { backoffMs, pause } from '../../basics/backoff.ts';
import { isLost } from './failures.ts';

export interface ConnectionOptions {
  readonly url: string;
  /** Connections for reads. Writes have two more, and long reads another two. */
  readonly readers?: number;
  /** How long calls wait for a database that is away. */
  readonly patienceMs?: number;
}

export const defaults = { readers: 6, longReaders: 2, patienceMs: 8_000 };
/** None of our statements takes that long, unless something is wrong. */
const statementTimeoutMs = 15_000;
/** How much longer to wait for a database that doesn't answer at all. */
const silenceMs = 2_000;
export const longReadTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;
const idleInTransactionMs = 5_000;
const idleTimeoutMs = 30_000;
const pauses = { firstMs: 50, longestMs: 1_000 };

/** Loaded only if a database is configured. */
export async function loadDriver(): Promise<typeof pg> {
  const { default: driver } = await import('pg');
  return driver;
}

export function clientOptions(
  driver: typeof pg,
  url: string,
  timeoutMs = statementTimeoutMs,
): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'parley',
    statement_timeout: timeoutMs,
    // A server that stops in the middle of a transaction must not hold up the others.
    idle_in_transaction_session_timeout: idleInTransactionMs,
    query_timeout: timeoutMs + silenceMs,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: numbersFor(driver),
  };
}

export function openPool(driver: typeof pg, url: string, most: number, timeoutMs?: number): pg.Pool {
  const pool = new driver.Pool({
    ...clientOptions(driver, url, timeoutMs),
    max: most,
    idleTimeoutMillis: idleTimeoutMs,
    allowExitOnIdle: true,
  });
  // A connection that breaks while idle; the pool replaces it.
  pool.on('error', () => undefined);
  return pool;
}

/** Retries what failed because the connection broke, until it works, fails for another reason, or takes too long. */
export async function reconnecting<T>(
  work: () => Promise<T>,
  patienceMs: () => number,
  signal: AbortSignal,
): Promise<T> {
  const start = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (thrown) {
      const wait = backoffMs(failures, pauses);
      if (!isLost(thrown) || signal.aborted || performance.now() + wait > start + patienceMs()) throw thrown;
      await pause(wait, signal);
    }
  }
}

/** Reads 64-bit numbers and their sums as numbers: ours are all exact. */
function numbersFor(driver: typeof pg): pg.CustomTypesConfig {
  const { builtins } = driver.types;
  const numbers: readonly number[] = [builtins.INT8, builtins.NUMERIC];
  return {
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      numbers.includes(id) ? Number : driver.types.getTypeParser(id, format),
  };
}
