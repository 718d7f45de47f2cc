// What happens before the store opens: migrations, and checks that refuse a database.
import type pg from 'pg';
import { clientOptions } from './connections.ts';
import { type DatabasePlace, placeOf, toParleyError } from './failures.ts';

/** Runs the work on a connection of its own. */
export async function prepare(
  driver: typeof pg,
  url: string,
  work: (client: pg.Client, place: DatabasePlace) => Promise<void>,
): Promise<void> {
  const place = placeOf(url);
  const client = new driver.Client(clientOptions(driver, url));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client, place);
  } catch (thrown) {
    throw toParleyError(thrown, place);
  } finally {
    await client.end().catch(() => undefined);
  }
}
