// The steps that create and change the tables, in order. A released step never changes; a change is a new step.
import { ParleyError } from '@parley/protocol';
import type { Connection } from './connection.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Marks the file as Parley's ("PRLY"), so that the database of another program is not touched. */
const applicationId = 0x50524c59;

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'sessions, turns, messages, passages and events',
    sql: `
      CREATE TABLE sessions (
        id TEXT NOT NULL PRIMARY KEY,
        person TEXT NOT NULL,
        engine TEXT NOT NULL,
        assistant TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        title TEXT NOT NULL,
        settings TEXT NOT NULL
      ) STRICT;
      CREATE INDEX sessions_by_update ON sessions (person, updated_at DESC, id DESC);

      CREATE TABLE turns (
        id TEXT NOT NULL PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        person TEXT NOT NULL,
        key TEXT NOT NULL,
        door TEXT NOT NULL,
        status TEXT NOT NULL,
        position INTEGER NOT NULL,
        after_seq INTEGER NOT NULL,
        queued_at REAL NOT NULL,
        started_at REAL,
        ended_at REAL,
        usage TEXT NOT NULL,
        error TEXT,
        text TEXT NOT NULL,
        prompt TEXT NOT NULL,
        UNIQUE (person, key)
      ) STRICT;
      CREATE INDEX turns_by_session ON turns (session_id, position);
      CREATE INDEX turns_by_position ON turns (position);
      CREATE INDEX turns_unfinished ON turns (position) WHERE status IN ('queued', 'running');

      CREATE TABLE messages (
        id INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
        role TEXT NOT NULL,
        content TEXT NOT NULL
      ) STRICT;
      CREATE INDEX messages_by_session ON messages (session_id, id);
      CREATE INDEX messages_by_turn ON messages (turn_id);

      CREATE TABLE passages (
        id INTEGER PRIMARY KEY,
        turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
        role TEXT NOT NULL,
        text TEXT NOT NULL
      ) STRICT;
      CREATE INDEX passages_by_turn ON passages (turn_id);
      CREATE VIRTUAL TABLE passage_index USING fts5 (
        text, content = 'passages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
      );
      CREATE TRIGGER passages_indexed AFTER INSERT ON passages BEGIN
        INSERT INTO passage_index (rowid, text) VALUES (new.id, new.text);
      END;
      CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
        INSERT INTO passage_index (passage_index, rowid, text) VALUES ('delete', old.id, old.text);
      END;

      CREATE TABLE event_batches (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        first_seq INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        events TEXT NOT NULL,
        UNIQUE (session_id, last_seq)
      ) STRICT;
    `,
  },
  {
    version: 2,
    name: 'what was read from transcripts',
    sql: `
      CREATE TABLE transcript_records (
        file TEXT NOT NULL PRIMARY KEY,
        record TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_engine ON sessions (engine, person);
    `,
  },
  {
    version: 3,
    name: 'logins',
    sql: `
      CREATE TABLE logins (
        id TEXT NOT NULL PRIMARY KEY,
        password_hash TEXT NOT NULL,
        person TEXT,
        created_at REAL NOT NULL,
        expires_at REAL NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 4,
    name: 'answers owed to chat services',
    sql: `
      CREATE TABLE owed_answers (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        channel TEXT NOT NULL,
        address TEXT NOT NULL,
        turn TEXT,
        text TEXT,
        sent_parts INTEGER NOT NULL,
        attempt TEXT,
        status TEXT,
        owed_at REAL NOT NULL,
        settled_at REAL
      ) STRICT;
      CREATE INDEX owed_answers_open ON owed_answers (channel, id) WHERE settled_at IS NULL;
      CREATE INDEX owed_answers_settled ON owed_answers (settled_at) WHERE settled_at IS NOT NULL;
    `,
  },
  {
    version: 5,
    name: 'the highest message numbers of chat services',
    sql: `
      CREATE TABLE channel_marks (
        channel TEXT NOT NULL,
        counter TEXT NOT NULL,
        highest INTEGER NOT NULL,
        PRIMARY KEY (channel, counter)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 6,
    name: 'the usage book',
    sql: `
      CREATE TABLE usage_entries (
        at REAL NOT NULL,
        person TEXT NOT NULL,
        session_id TEXT NOT NULL,
        engine TEXT NOT NULL,
        door TEXT NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cache_read_tokens INTEGER NOT NULL,
        cache_write_tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL
      ) STRICT;
      CREATE INDEX usage_entries_by_time ON usage_entries (at);
    `,
  },
  {
    version: 7,
    name: 'a full-text index that may be behind',
    sql: `
      DROP TRIGGER passages_indexed;
      DROP TRIGGER passages_removed;
      CREATE TRIGGER passages_removed AFTER DELETE ON passages
      WHEN EXISTS (SELECT 1 FROM passage_index_docsize WHERE id = old.id) BEGIN
        INSERT INTO passage_index (passage_index, rowid, text) VALUES ('delete', old.id, old.text);
      END;
    `,
  },
  {
    version: 8,
    name: 'whether a turn can ask',
    sql: `
      ALTER TABLE turns ADD COLUMN can_ask INTEGER NOT NULL DEFAULT 1;
      UPDATE turns SET can_ask = 0 WHERE door = 'http';
    `,
  },
];

/** Runs all missing steps, or none when one fails. */
export async function migrate(
  connection: Connection,
  steps: readonly Migration[] = migrations,
): Promise<void> {
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

function refuseForeign(connection: Connection): void {
  if (single(connection, 'SELECT application_id FROM pragma_application_id') === applicationId) return;
  if (single(connection, 'SELECT count(*) FROM sqlite_schema') === 0) return;
  throw new ParleyError(
    'unavailable',
    `The database ${connection.file} belongs to another program. Move it away or configure another path.`,
  );
}

function writtenByNewer(file: string, current: number, newest: number): ParleyError {
  return new ParleyError(
    'unavailable',
    `The database ${file} was written by a newer version of Parley (schema ${current}; this version knows ${newest}). ` +
      'Start the newer version, or restore a backup from before the update.',
  );
}

function single(connection: Connection, sql: string): number {
  const row = connection.prepare(sql).all([])[0];
  return Number(Object.values(row as Record<string, unknown>)[0]);
}
