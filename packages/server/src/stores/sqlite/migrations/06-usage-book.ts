export const usageBook = {
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
};
