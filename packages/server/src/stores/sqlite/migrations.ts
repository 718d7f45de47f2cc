// Creates and changes the tables, step by step. A released step never changes; a change is a new step in migrations/.
import { ParleyError } from '@parley/protocol';
import type Database from 'libsql';
import type { Connection } from './connection.ts';
import { conversations } from './migrations/01-conversations.ts';
import { transcripts } from './migrations/02-transcripts.ts';
import { logins } from './migrations/03-logins.ts';
import { owedAnswers } from './migrations/04-owed-answers.ts';
import { channelMarks } from './migrations/05-channel-marks.ts';
import { usageBook } from './migrations/06-usage-book.ts';
import { deferredSearchIndex } from './migrations/07-deferred-search-index.ts';
import { canAsk } from './migrations/08-can-ask.ts';
import { knownBrowsers } from './migrations/09-known-browsers.ts';
import { searchAndUsageSums } from './migrations/10-search-and-usage-sums.ts';
import { accounts } from './migrations/11-accounts.ts';
import { branches } from './migrations/12-branches.ts';
import { budgets } from './migrations/13-budgets.ts';
import { storedBytes } from './migrations/14-stored-bytes.ts';
import { authors } from './migrations/15-authors.ts';
import { marks } from './migrations/16-marks.ts';
import { push } from './migrations/17-push.ts';
import { shareLinks } from './migrations/18-share-links.ts';
import { transcriptsByMachine } from './migrations/19-transcripts-by-machine.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Marks the file as Parley's ("PRLY"), so that the database of another program is not touched. */
export const applicationId = 0x50524c59;

export const migrations: readonly Migration[] = [
  conversations,
  transcripts,
  logins,
  owedAnswers,
  channelMarks,
  usageBook,
  deferredSearchIndex,
  canAsk,
  knownBrowsers,
  searchAndUsageSums,
  accounts,
  branches,
  budgets,
  storedBytes,
  authors,
  marks,
  push,
  shareLinks,
  transcriptsByMachine,
];

/** Runs all missing steps, or none when one fails. */
export async function migrate(
  connection: Connection,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  // Writes nothing if there is nothing to do, so that a server can start on a full disk.
  if (isCurrent(connection, steps.at(-1)?.version ?? 0)) return;
  // Under the write lock: when two processes start at once, one migrates and the other waits.
  await connection.write(() => {
    refuseForeign(connection);
    connection.exec(`
      PRAGMA application_id = ${applicationId};
      CREATE TABLE IF NOT EXISTS migrations (
        version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL
      ) STRICT;
    `);
    const current = single(connection, 'SELECT coalesce(max(version), 0) FROM migrations');
    const newest = steps.at(-1)?.version ?? 0;
    if (current > newest) throw writtenByNewer(connection.file, current, newest);

    const record = connection.prepare(
      "INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, datetime('now'))",
    );
    for (const step of steps) {
      if (step.version <= current) continue;
      connection.exec(step.sql);
      record.run([step.version, step.name]);
    }
  });
}

/** The version of existing tables that lack steps; undefined if nothing has to change. */
export function outdatedSchema(connection: Connection): number | undefined {
  const owner = single(connection, 'SELECT application_id FROM pragma_application_id');
  if (owner !== applicationId) return undefined;
  const current = single(connection, 'SELECT max(version) FROM migrations');
  return current < (migrations.at(-1)?.version ?? 0) ? current : undefined;
}

function isCurrent(connection: Connection, newest: number): boolean {
  if (single(connection, 'SELECT application_id FROM pragma_application_id') !== applicationId) return false;
  return single(connection, 'SELECT max(version) FROM migrations') === newest;
}

function refuseForeign(connection: Connection): void {
  if (single(connection, 'SELECT application_id FROM pragma_application_id') === applicationId) return;
  if (single(connection, 'SELECT count(*) FROM sqlite_schema') === 0) return;
  throw new ParleyError(
    'unavailable',
    `The database ${connection.file} belongs to another program. Move it away or configure another path.`,
  );
}

export function writtenByNewer(file: string, current: number, newest: number): ParleyError {
  return new ParleyError(
    'unavailable',
    `The database ${file} was written by a newer version of Parley (schema ${current}; this version knows ${newest}). ` +
      'Start the newer version, or restore a backup from before the update.',
  );
}

/** The only value that the query returns. */
export function single(
  db: Pick<Connection, 'prepare'> | Pick<Database.Database, 'prepare'>,
  sql: string,
): number {
  const [row] = db.prepare(sql).all([]) as Record<string, unknown>[];
  return Number(Object.values(row ?? {})[0]);
}
