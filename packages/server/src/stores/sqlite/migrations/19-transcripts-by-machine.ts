// Several servers keep what they read from transcripts in one table, by machine. Here, there is only one machine.
export const transcriptsByMachine = {
  version: 19,
  name: 'what was read from transcripts, by machine',
  sql: `
    CREATE TABLE records_by_machine (
      machine TEXT NOT NULL,
      file TEXT NOT NULL,
      record TEXT NOT NULL,
      PRIMARY KEY (machine, file)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO records_by_machine SELECT '', file, record FROM transcript_records;
    DROP TABLE transcript_records;
    ALTER TABLE records_by_machine RENAME TO transcript_records;
  `,
};
