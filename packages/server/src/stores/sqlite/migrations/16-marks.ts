export const marks = {
  version: 16,
  name: 'pins, tags and archive of each person, and sessions that are about to be deleted',
  sql: `
    CREATE TABLE session_marks (
      person TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      is_pinned INTEGER NOT NULL,
      is_archived INTEGER NOT NULL,
      tags TEXT NOT NULL,
      PRIMARY KEY (person, session_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_marks_by_session ON session_marks (session_id);
    ALTER TABLE sessions ADD COLUMN removed_until REAL;
    CREATE INDEX sessions_removed ON sessions (removed_until) WHERE removed_until IS NOT NULL;
  `,
};
