// Creates and changes the tables, step by step. A released step never changes; a change is a new step in migrations/.
import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { type DatabasePlace, toParleyError } from './failures.ts';
import { everything } from './migrations/01-everything.ts';
import { watchedChanges } from './migrations/02-watched.ts';
import { chats } from './migrations/03-chats.ts';
import { servers } from './migrations/04-servers.ts';
import { sharedFiles } from './migrations/05-shared-files.ts';
import { activities } from './migrations/06-activities.ts';
import { marks } from './migrations/07-marks.ts';
import { push } from './migrations/08-push.ts';
import { shareLinks } from './migrations/09-share-links.ts';
import { transcriptsByMachine } from './migrations/10-transcripts-by-machine.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  everything,
  watchedChanges,
  chats,
  servers,
  sharedFiles,
  activities,
  marks,
  push,
  shareLinks,
  transcriptsByMachine,
];

/** Any number, but always the same: servers that start at once migrate one after the other. */
const lockNumber = 0x50524c59;

/** Runs all missing steps, or none when one fails. */
export async function migrate(
  client: pg.Client,
  place: DatabasePlace,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const newest = steps.at(-1)?.version ?? 0;
  try {
    // Writes nothing if there is nothing to do.
    if ((await currentVersion(client)) === newest) return await refuseReadOnly(client);
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${lockNumber})`);
    const current = await currentVersion(client);
    if (current === undefined) {
      await refuseForeign(client, place);
      await client.query(
        `CREATE TABLE parley_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL)`,
      );
    }
    if (current !== undefined && current > newest) throw writtenByNewer(place, current, newest);
    for (const { version, name, sql } of steps) {
      if (version <= (current ?? 0)) continue;
      await client.query(sql);
      await client.query('INSERT INTO parley_migrations VALUES ($1, $2, now())', [version, name]);
    }
    await client.query('COMMIT');
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw toParleyError(thrown, place);
  }
}

/** The version of existing tables that lack steps; undefined if nothing has to change. */
export async function outdatedSchema(client: pg.Client): Promise<number | undefined> {
  const current = await currentVersion(client);
  return current !== undefined && current < (migrations.at(-1)?.version ?? 0) ? current : undefined;
}

/** Undefined in a database that Parley has never used. */
async function currentVersion(client: pg.Client): Promise<number | undefined> {
  const known = await client.query("SELECT to_regclass('parley_migrations') IS NOT NULL AS known");
  if (!(known.rows[0] as { known: boolean }).known) return undefined;
  const { rows } = await client.query('SELECT max(version) AS version FROM parley_migrations');
  return (rows[0] as { version: number | null }).version ?? 0;
}

/** A replica has all tables too, but a server can't write to it. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW transaction_read_only');
  if ((rows[0] as { transaction_read_only: string }).transaction_read_only === 'on')
    throw Object.assign(new Error('read-only'), { code: '25006' });
}

async function refuseForeign(client: pg.Client, { server, database }: DatabasePlace): Promise<void> {
  const { rows } = await client.query(
    'SELECT count(*)::int AS tables FROM pg_catalog.pg_tables WHERE schemaname = current_schema()',
  );
  if ((rows[0] as { tables: number }).tables === 0) return;
  throw new ParleyError(
    'unavailable',
    `The database “${database}” at ${server} belongs to another program. Create an empty one for Parley, and set database.url to it.`,
  );
}

function writtenByNewer({ server, database }: DatabasePlace, current: number, newest: number): ParleyError {
  return new ParleyError(
    'unavailable',
    `The database “${database}” at ${server} was written by a newer version of Parley (schema ${current}; this version knows ${newest}). ` +
      'Update this server, too, or restore a backup from before the update.',
  );
}
