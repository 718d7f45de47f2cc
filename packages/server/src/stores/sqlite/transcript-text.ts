// The full-text index of transcripts: a file of its own, next to the database, which only one thread writes. The number
// of a passage is the number of its home followed by the time when it was written. So what a person can find is one
// range, in the order of time, and a search reads only the newest matches in that range.
import { chmod, open, rm } from 'node:fs/promises';
import type { TranscriptMark, TranscriptMatch, TranscriptText } from '../../domain/transcript-text.ts';
import { type Batch, openReadThread, openWriteThread, type Reader, type Writer } from './reader.ts';

/** Increased when the tables change: an index of another version is rebuilt. */
const version = 1;

const setup = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = ${16 * 1024 * 1024};
  CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL) STRICT;
  INSERT INTO format SELECT ${version} WHERE NOT EXISTS (SELECT 1 FROM format);
  CREATE TABLE IF NOT EXISTS homes (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY,
    home INTEGER NOT NULL,
    path TEXT NOT NULL UNIQUE,
    next INTEGER NOT NULL,
    tail TEXT NOT NULL,
    chars INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS passages (
    place INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    offset INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS passages_by_file ON passages (file);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    text, content = '', contentless_delete = 1, detail = none, prefix = '2 3 4',
    tokenize = 'unicode61 remove_diacritics 2'
  );`;

/** Milliseconds of 34 years; with the number of the home, 53 bits, which are exact in JavaScript. */
const placesPerHome = 2 ** 40;
const firstMoment = Date.UTC(2015, 0);

const addHome = 'INSERT OR IGNORE INTO homes (path) VALUES (?)';
const numberOfHome = '(SELECT number FROM homes WHERE path = ?)';
const idOfFile = '(SELECT id FROM files WHERE path = ?)';
const setMark = `
  INSERT INTO files (home, path, next, tail, chars) VALUES (${numberOfHome}, ?, ?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET
    home = excluded.home, next = excluded.next, tail = excluded.tail, chars = excluded.chars`;
// The first free place from its moment on, because copies of a session have the same moments.
const addPassage = `
  INSERT INTO passages (place, file, offset)
  WITH RECURSIVE free (place) AS (
    SELECT CAST(? AS INTEGER) + ${placesPerHome} * ${numberOfHome}
    UNION ALL
    SELECT free.place + 1 FROM free JOIN passages ON passages.place = free.place
  )
  SELECT max(place), ${idOfFile}, ? FROM free`;
const addWords = 'INSERT INTO words (rowid, text) VALUES (last_insert_rowid(), ?)';
const removeWords = `DELETE FROM words WHERE rowid IN (SELECT place FROM passages WHERE file = ${idOfFile})`;
const removePassages = `DELETE FROM passages WHERE file = ${idOfFile}`;
const removeFile = 'DELETE FROM files WHERE path = ?';

const matchesPerRead = 2_000;
// The columns without an aggregate are those of the newest place, as long as there is no other `min` or `max` here.
const newestByFile = `
  SELECT files.path AS file, passages.offset AS offset, max(found.place) AS place, found.oldest AS oldest,
    count(*) AS matches
  FROM (
    SELECT place, min(place) OVER () AS oldest FROM (
      SELECT rowid AS place FROM words
      WHERE words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
      ORDER BY rowid DESC LIMIT ${matchesPerRead}
    )
  ) AS found
  CROSS JOIN passages ON passages.place = found.place
  CROSS JOIN files ON files.id = passages.file
  GROUP BY passages.file
  ORDER BY 3 DESC`;

/** After this time, a search returns what it has found. */
const maxMs = 15;
const writeLimits = { timeoutMs: 60_000, most: 100 };

interface Found extends TranscriptMatch {
  readonly oldest: number;
  readonly matches: number;
}

export interface OpenTranscriptText extends TranscriptText {
  close(): Promise<void>;
}

interface Threads {
  readonly writer: Writer;
  readonly reader: Reader;
}

/** Opens the file when it is first used. */
export function openTranscriptText(path: string): OpenTranscriptText {
  let opening: Promise<Threads> | undefined;
  const threads = (): Promise<Threads> => {
    opening ??= openThreads(path).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const numberOf = async (home: string) => {
    const { reader } = await threads();
    const [row] = await reader.all<{ number: number }>('SELECT number FROM homes WHERE path = ?', [home]);
    return row?.number;
  };

  return {
    async marks(home) {
      // By the writer: the thread that reads starts with the first search.
      const { writer } = await threads();
      const all = `SELECT path AS file, next, tail, chars FROM files WHERE home = ${numberOfHome}`;
      return writer.all<TranscriptMark>(all, [home]);
    },

    async add(home, { file, next, tail, chars }, passages) {
      const { writer } = await threads();
      await writer.write([
        [addHome, [home]],
        [setMark, [home, file, next, tail, chars]],
        ...passages.flatMap(({ at, offset, text }): Batch => {
          const moment = Math.min(Math.max(0, at - firstMoment), placesPerHome - 1);
          return [
            [addPassage, [moment, home, file, offset]],
            [addWords, [text.replaceAll('\0', ' ')]],
          ];
        }),
      ]);
    },

    async remove(files) {
      if (files.length === 0) return;
      const { writer } = await threads();
      await writer.write(
        files.flatMap(
          (file): Batch => [
            [removeWords, [file]],
            [removePassages, [file]],
            [removeFile, [file]],
          ],
        ),
      );
    },

    async find(home, words, limit) {
      const number = await numberOf(home);
      if (number === undefined || words.length === 0) return [];
      const { reader } = await threads();
      const until = performance.now() + maxMs;
      const quoted = words.map((word) => `"${word}"`).join(' AND ');
      // Too many words start with the same letter.
      const query = (words.at(-1) ?? '').length < 2 ? quoted : `${quoted}*`;
      const first = number * placesPerHome;
      const found = new Map<string, TranscriptMatch>();
      for (let end = first + placesPerHome - 1; ; ) {
        const rows = await reader.all<Found>(newestByFile, [query, first, end]);
        for (const { file, offset } of rows) if (!found.has(file)) found.set(file, { file, offset });
        const isLast = rows.reduce((sum, { matches }) => sum + matches, 0) < matchesPerRead;
        if (isLast || found.size >= limit || performance.now() > until)
          return [...found.values()].slice(0, limit);
        end = (rows[0]?.oldest ?? first) - 1;
      }
    },

    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.reader.close();
      await opened?.writer.close();
    },
  };
}

async function openThreads(path: string): Promise<Threads> {
  // Private from the start, like the database.
  await (await open(path, 'a', 0o600)).close();
  await chmod(path, 0o600);
  const writer = openWriteThread(path, setup, writeLimits);
  const isUsable = await writer
    .all<{ version: number }>('SELECT version FROM format', [])
    .then(([row]) => row?.version === version)
    .catch(() => false);
  if (isUsable) return { writer, reader: openReadThread(path) };
  await writer.close();
  for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
  const fresh = openWriteThread(path, setup, writeLimits);
  await fresh.all('SELECT version FROM format', []);
  return { writer: fresh, reader: openReadThread(path) };
}
