// The same path can be a file on several machines. What was read so far doesn't say where, and is read again.
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
