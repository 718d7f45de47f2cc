// One server per data folder: two would run the same prompts and use the same event numbers. The lock is SQLite's own, on an
// empty database; the operating system releases it no matter how the process ends.
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import Database from 'libsql';
import { cannotOpen } from './failures.ts';

export interface FolderLock {
  close(): Promise<void>;
}

/** Waits for a server that is just stopping. */
const patienceMs = 1_000;

/** The folder must exist. Rejects with `conflict` when another server uses it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, 'server.lock');
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: patienceMs });
    // Without a journal file, because it wouldn't fit on a full disk.
    db.exec('PRAGMA journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db?.close();
    throw isTaken(thrown) ? inUse(folder) : cannotOpen(thrown, file);
  }
  const held = db;
  return {
    async close() {
      if (!held.open) return;
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
}

function inUse(folder: string): ParleyError {
  return new ParleyError(
    'conflict',
    `Another Parley is already using the data in ${folder}. Use that one, stop it, or start this one with another --home.`,
  );
}
