// Only creates tables. Filling them takes minutes in a large database, so that happens later, in the background.
export const searchAndUsageSums = {
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
};
