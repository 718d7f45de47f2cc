// Runs pieces of work on PostgreSQL: reads on a few shared connections, writes on two of their own.
import type pg from 'pg';
import type { Database, Work } from '../sql/work.ts';
import {
  type ConnectionOptions,
  clientOptions,
  defaults,
  longReadTimeoutMs,
  openPool,
  reconnecting,
} from './connections.ts';
import { closed, placeOf, toParleyError } from './failures.ts';
import { ask } from './statements.ts';
import { WriteLane } from './write-lane.ts';

export interface OpenDatabase extends Database {
  close(): Promise<void>;
}

/** Writes that share a transaction. */
const maxTogether = 128;

export function openDatabase(driver: typeof pg, options: ConnectionOptions): OpenDatabase {
  const { url, readers = defaults.readers, patienceMs = defaults.patienceMs } = options;
  const place = placeOf(url);
  const stop = new AbortController();
  const pool = openPool(driver, url, readers);
  const longPool = openPool(driver, url, defaults.longReaders, longReadTimeoutMs);

  async function connect(): Promise<pg.Client> {
    const client = new driver.Client({ ...clientOptions(driver, url), pipeline: true });
    // The next statement reports it.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
  const lane = (most: number) => new WriteLane({ connect, place, patienceMs, maxTogether: most });
  const [shared, alone] = [lane(maxTogether), lane(1)];

  async function read<T>(from: pg.Pool, work: Work<T>): Promise<T> {
    try {
      let step = work.next();
      while (!step.done) {
        const statement = step.value;
        if (stop.signal.aborted) throw closed();
        step = work.next(
          await reconnecting(
            () => ask(from, statement),
            () => patienceMs,
            stop.signal,
          ),
        );
      }
      return step.value;
    } catch (thrown) {
      throw toParleyError(thrown, place);
    }
  }

  const write = <T>(work: () => Work<T>) => shared.write(work);
  return {
    read: (work) => read(pool, work),
    readLong: (work) => read(longPool, work),
    relaxed: write,
    durable: write,
    apart: (work) => alone.write(work),
    async close() {
      if (stop.signal.aborted) return;
      stop.abort();
      await Promise.all([shared.close(), alone.close()]);
      await Promise.all([pool.end(), longPool.end()]);
    },
  };
}
