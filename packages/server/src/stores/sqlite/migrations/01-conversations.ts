export const conversations = {
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
};
