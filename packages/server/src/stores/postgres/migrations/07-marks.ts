// Each person's pins, tags and archive, and sessions that are about to be deleted.
const text = 'TEXT COLLATE "C"';

export const marks = {
  version: 7,
  name: 'marks',
  sql: `
    CREATE TABLE session_marks (
      person ${text} NOT NULL,
      session_id ${text} NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      is_pinned INTEGER NOT NULL,
      is_archived INTEGER NOT NULL,
      tags ${text} NOT NULL,
      PRIMARY KEY (person, session_id)
    );
    CREATE INDEX session_marks_by_session ON session_marks (session_id);
    ALTER TABLE sessions ADD COLUMN removed_until DOUBLE PRECISION;
    CREATE INDEX sessions_removed ON sessions (removed_until) WHERE removed_until IS NOT NULL;`,
};
