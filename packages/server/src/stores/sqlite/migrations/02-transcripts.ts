export const transcripts = {
  version: 2,
  name: 'what was read from transcripts',
  sql: `
    CREATE TABLE transcript_records (
      file TEXT NOT NULL PRIMARY KEY,
      record TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_engine ON sessions (engine, person);
  `,
};
