// One PostgreSQL for a test file, and an empty database for each test that asks.
import { type PostgresOptions, type PostgresStandIn, startPostgres } from '@parley/stand-ins/postgres';
import { afterAll, beforeAll } from 'vitest';

const patienceMs = 120_000;

/** Call it at the top of a test file. */
export function usePostgres(options?: PostgresOptions): () => PostgresStandIn {
  let running: PostgresStandIn | undefined;
  beforeAll(async () => {
    running = await startPostgres(options);
  }, patienceMs);
  afterAll(() => running?.close(), patienceMs);
  return () => {
    if (!running) throw new Error('PostgreSQL has not started yet.');
    return running;
  };
}
