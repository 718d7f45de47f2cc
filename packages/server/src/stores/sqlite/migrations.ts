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
  {
    version: 9,
    name: 'the origin of a login, and browsers that have logged in before',
    sql: `
      ALTER TABLE logins ADD COLUMN origin TEXT;
      CREATE TABLE known_browsers (
        id TEXT NOT NULL PRIMARY KEY,
        seen_at REAL NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    // Only creates tables. Their content takes minutes in a large database, so it is added later, in the background.
    version: 10,
    name: 'an index by person for the search, and sums for the usage book',
    sql: `
      DROP TRIGGER passages_removed;
      CREATE TABLE search_people (number INTEGER PRIMARY KEY, person TEXT NOT NULL UNIQUE) STRICT;
      CREATE VIRTUAL TABLE passage_words USING fts5 (
        text, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3',
        tokenize = 'unicode61 remove_diacritics 2'
      );
      INSERT INTO passage_words (passage_words, rank) VALUES ('automerge', 0);
      CREATE TABLE search_words (word TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
      CREATE TABLE search_progress (newest INTEGER NOT NULL, oldest INTEGER NOT NULL) STRICT;
      INSERT INTO search_progress SELECT coalesce(max(id), 0), coalesce(max(id), 0) + 1 FROM passages;

      CREATE TABLE usage_days (
        day TEXT NOT NULL,
        person TEXT NOT NULL,
        model TEXT NOT NULL,
        engine TEXT NOT NULL,
        turns INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cache_read_tokens INTEGER NOT NULL,
        cache_write_tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL,
        PRIMARY KEY (day, person, model, engine)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE usage_session_days (
        session_id TEXT NOT NULL,
        day TEXT NOT NULL,
        turns INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cache_read_tokens INTEGER NOT NULL,
        cache_write_tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL,
        PRIMARY KEY (session_id, day)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE usage_sessions (
        session_id TEXT NOT NULL PRIMARY KEY,
        person TEXT NOT NULL,
        engine TEXT NOT NULL,
        cost_usd REAL NOT NULL,
        last_day TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX usage_sessions_by_cost ON usage_sessions (person, cost_usd DESC, session_id, last_day);
      CREATE TABLE usage_progress (oldest INTEGER NOT NULL) STRICT;
      INSERT INTO usage_progress SELECT coalesce(max(rowid), 0) + 1 FROM usage_entries;
    `,
  },
  {
    version: 11,
    name: 'accounts, passkeys, invitations, API keys, shares and the audit log',
    sql: `
      CREATE TABLE accounts (
        person TEXT NOT NULL PRIMARY KEY,
        role TEXT NOT NULL,
        display_name TEXT,
        password_hash TEXT,
        openid_issuer TEXT,
        openid_subject TEXT,
        assistants TEXT NOT NULL,
        created_at REAL NOT NULL,
        disabled_at REAL
      ) STRICT;
      CREATE UNIQUE INDEX accounts_by_openid ON accounts (openid_issuer, openid_subject);

      CREATE TABLE passkeys (
        id TEXT NOT NULL PRIMARY KEY,
        person TEXT NOT NULL REFERENCES accounts (person) ON DELETE CASCADE,
        name TEXT NOT NULL,
        public_key TEXT NOT NULL,
        counter INTEGER NOT NULL,
        transports TEXT NOT NULL,
        host TEXT NOT NULL,
        created_at REAL NOT NULL,
        last_used_at REAL
      ) STRICT;
      CREATE INDEX passkeys_by_person ON passkeys (person);

      CREATE TABLE invitations (
        id TEXT NOT NULL PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        person TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        assistants TEXT NOT NULL,
        created_by TEXT,
        created_at REAL NOT NULL,
        expires_at REAL NOT NULL
      ) STRICT;

      CREATE TABLE api_keys (
        id TEXT NOT NULL PRIMARY KEY,
        label TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        person TEXT NOT NULL,
        assistants TEXT,
        read_only INTEGER NOT NULL,
        created_by TEXT,
        created_at REAL NOT NULL,
        expires_at REAL,
        last_used_at REAL
      ) STRICT;
      CREATE INDEX api_keys_by_person ON api_keys (person);

      CREATE TABLE shares (
        session_id TEXT NOT NULL,
        person TEXT NOT NULL,
        level TEXT NOT NULL,
        created_at REAL NOT NULL,
        PRIMARY KEY (session_id, person)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX shares_by_person ON shares (person, session_id);

      CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        at REAL NOT NULL,
        action TEXT NOT NULL,
        person TEXT,
        subject TEXT,
        detail TEXT,
        address TEXT
      ) STRICT;

      ALTER TABLE logins ADD COLUMN kind TEXT NOT NULL DEFAULT 'family';
      ALTER TABLE logins ADD COLUMN device TEXT;
      ALTER TABLE logins ADD COLUMN seen_at REAL NOT NULL DEFAULT 0;
      UPDATE logins SET seen_at = created_at;
    `,
  },
  {
    version: 12,
    name: 'branches of sessions',
    sql: `
      ALTER TABLE turns ADD COLUMN origin TEXT;
      ALTER TABLE sessions ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE branches (
        id INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
        family TEXT NOT NULL,
        parent_id TEXT NOT NULL,
        after_turn TEXT
      ) STRICT;
      CREATE INDEX branches_by_family ON branches (family);
    `,
  },
  {
    version: 13,
    name: 'budgets, and what counts for them this month',
    sql: `
      ALTER TABLE usage_entries ADD COLUMN turns INTEGER NOT NULL DEFAULT 1;
      CREATE TABLE budget_rules (
        id TEXT NOT NULL PRIMARY KEY,
        scope TEXT NOT NULL,
        subject TEXT,
        period TEXT NOT NULL,
        unit TEXT NOT NULL,
        "limit" REAL NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE budget_warnings (key TEXT NOT NULL PRIMARY KEY, day TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE spending (
        day TEXT NOT NULL,
        scope TEXT NOT NULL,
        subject TEXT NOT NULL,
        usd REAL NOT NULL,
        tokens INTEGER NOT NULL,
        PRIMARY KEY (day, scope, subject)
      ) STRICT, WITHOUT ROWID;
      CREATE TEMP TABLE paid AS
        SELECT date(at / 1000, 'unixepoch') AS day, usage_entries.person AS person, session_id AS session,
          sessions.assistant AS assistant, json_extract(sessions.settings, '$.chat') AS chat, cost_usd AS usd,
          input_tokens + output_tokens + cache_read_tokens + cache_write_tokens AS tokens
        FROM usage_entries LEFT JOIN sessions ON sessions.id = session_id
        WHERE at >= unixepoch('now', 'start of month') * 1000;
      INSERT INTO spending SELECT day, 'everybody', '', sum(usd), sum(tokens) FROM paid GROUP BY day;
      INSERT INTO spending SELECT day, 'person', person, sum(usd), sum(tokens) FROM paid GROUP BY day, person;
      INSERT INTO spending SELECT day, 'session', session, sum(usd), sum(tokens) FROM paid GROUP BY day, session;
      INSERT INTO spending SELECT day, 'assistant', assistant, sum(usd), sum(tokens) FROM paid
        WHERE assistant IS NOT NULL GROUP BY day, assistant;
      INSERT INTO spending SELECT day, 'chat', chat, sum(usd), sum(tokens) FROM paid
        WHERE chat IS NOT NULL GROUP BY day, chat;
      DROP TABLE paid;
    `,
  },
  {
    version: 14,
    name: 'how much is stored for each person',
    sql: `
      CREATE TABLE stored_people (person TEXT NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE stored_sessions (
        session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        person TEXT NOT NULL,
        bytes INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO stored_sessions
        SELECT id, person,
          (SELECT coalesce(sum(octet_length(prompt) + octet_length(text)), 0) FROM turns WHERE session_id = sessions.id)
          + (SELECT coalesce(sum(octet_length(content)), 0) FROM messages WHERE session_id = sessions.id)
          + (SELECT coalesce(sum(octet_length(events)), 0) FROM event_batches WHERE session_id = sessions.id)
        FROM sessions;
      INSERT INTO stored_people SELECT person, sum(bytes) FROM stored_sessions GROUP BY person;

      CREATE TRIGGER stored_session_added AFTER INSERT ON sessions BEGIN
        INSERT OR IGNORE INTO stored_people VALUES (new.person, 0);
        INSERT INTO stored_sessions VALUES (new.id, new.person, 0);
      END;
      CREATE TRIGGER stored_session_changed AFTER UPDATE ON stored_sessions BEGIN
        UPDATE stored_people SET bytes = bytes + new.bytes - old.bytes WHERE person = new.person;
      END;
      CREATE TRIGGER stored_session_removed AFTER DELETE ON stored_sessions BEGIN
        UPDATE stored_people SET bytes = bytes - old.bytes WHERE person = old.person;
      END;

      CREATE TRIGGER stored_turns_added AFTER INSERT ON turns BEGIN
        UPDATE stored_sessions SET bytes = bytes + octet_length(new.prompt) + octet_length(new.text) WHERE session_id = new.session_id;
      END;
      CREATE TRIGGER stored_turns_removed AFTER DELETE ON turns BEGIN
        UPDATE stored_sessions SET bytes = bytes - (octet_length(old.prompt) + octet_length(old.text)) WHERE session_id = old.session_id;
      END;
      CREATE TRIGGER stored_messages_added AFTER INSERT ON messages BEGIN
        UPDATE stored_sessions SET bytes = bytes + octet_length(new.content) WHERE session_id = new.session_id;
      END;
      CREATE TRIGGER stored_messages_removed AFTER DELETE ON messages BEGIN
        UPDATE stored_sessions SET bytes = bytes - (octet_length(old.content)) WHERE session_id = old.session_id;
      END;
      CREATE TRIGGER stored_event_batches_added AFTER INSERT ON event_batches BEGIN
        UPDATE stored_sessions SET bytes = bytes + octet_length(new.events) WHERE session_id = new.session_id;
      END;
      CREATE TRIGGER stored_event_batches_removed AFTER DELETE ON event_batches BEGIN
        UPDATE stored_sessions SET bytes = bytes - (octet_length(old.events)) WHERE session_id = old.session_id;
      END;
      CREATE TRIGGER stored_turns_changed AFTER UPDATE OF text ON turns BEGIN
        UPDATE stored_sessions SET bytes = bytes + octet_length(new.text) - octet_length(old.text)
          WHERE session_id = new.session_id;
      END;
    `,
  },
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
