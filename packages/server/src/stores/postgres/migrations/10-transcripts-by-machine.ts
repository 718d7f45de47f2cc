// The same path may exist on several machines. Old records don't say which one they are from, so they are read again.
export const transcriptsByMachine = {
  version: 10,
  name: 'what was read from transcripts, by machine',
  sql: `
    DROP TABLE transcript_records;
    CREATE TABLE transcript_records (
      machine TEXT COLLATE "C" NOT NULL,
      file TEXT COLLATE "C" NOT NULL,
      record TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (machine, file)
    );
  `,
};
