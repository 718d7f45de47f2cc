export const branches = {
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
};
