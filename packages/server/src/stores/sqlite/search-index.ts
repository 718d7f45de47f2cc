// The full-text index. Indexing an answer takes longer than storing it, so passages are added when nothing is written,
// or before a search. A row's number begins with the number of its person, so a person's passages are one range of the
// index, oldest first, and a search never reads those of others. For the start of a word, the index would read the rows
// of every longer word. So the words are also stored in a table of their own, and a search picks a few of them.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { SessionId } from '@parley/protocol';
import { BoundedMap } from '../../basics/bounded-map.ts';
import { folded, wordsOf } from '../../content/snippet.ts';
import { run, type Work } from '../sql/work.ts';
import type { Step } from './background-work.ts';
import type { Connection } from './connection.ts';

/** Passages per person; 53 bits are exact in JavaScript. */
export const placesPerPerson = 2 ** 36;

/** The index itself knows all shorter starts of words. */
export const shortestStart = 4;

const quietMs = 1_000;
/** This much takes a few milliseconds. */
const maxPassages = 64;
const maxBytes = 32 * 1024;
/** How long a search waits. Passages that are still missing by then are found by the next search. */
const maxCatchUpMs = 200;

const marks = 'SELECT newest, oldest FROM search_progress';
const sizesAfter = `
  SELECT id, octet_length(text) AS size FROM passages WHERE id > ? ORDER BY id LIMIT ${maxPassages}`;
const sizesBefore = `
  SELECT id, octet_length(text) AS size FROM passages WHERE id < ? ORDER BY id DESC LIMIT ${maxPassages}`;
const numberPeople = `
  INSERT INTO search_people (person)
  SELECT DISTINCT turns.person FROM passages JOIN turns ON turns.id = passages.turn_id
  WHERE passages.id BETWEEN ? AND ? AND turns.person NOT IN (SELECT person FROM search_people)`;
// In ascending order, because the index writes everything out whenever a smaller number follows.
const addWords = `
  INSERT INTO passage_words (rowid, text)
  SELECT search_people.number * ${placesPerPerson} + passages.id, passages.text
  FROM passages
  JOIN turns ON turns.id = passages.turn_id
  JOIN search_people ON search_people.person = turns.person
  WHERE passages.id BETWEEN ? AND ?
  ORDER BY 1`;
/** Merges this many pages if there are enough pieces. */
const mergeSome = "INSERT INTO passage_words (passage_words, rank) VALUES ('merge', 8)";
const textsBetween = 'SELECT text FROM passages WHERE id BETWEEN ? AND ?';
const addWord = 'INSERT OR IGNORE INTO search_words (word) VALUES (?)';
const removeWords = `
  DELETE FROM passage_words WHERE rowid IN (
    SELECT search_people.number * ${placesPerPerson} + passages.id
    FROM turns
    JOIN passages ON passages.turn_id = turns.id
    JOIN search_people ON search_people.person = turns.person
    WHERE turns.session_id = ?
  )`;
// The next passage may get the number of one that was deleted.
const lowerMarks = `
  UPDATE search_progress SET
    newest = min(newest, (SELECT coalesce(max(id), 0) FROM passages)),
    oldest = min(oldest, (SELECT coalesce(max(id), 0) + 1 FROM passages))`;

/** Anything longer is hardly a word. */
const longestWord = 32;
/** How many stored words are remembered, so that frequent ones are not looked up again and again. */
const maxKnownWords = 20_000;

interface Marks {
  /** Passages after it are not indexed yet. */
  readonly newest: number;
  /** Passages before it aren't indexed yet either: they are older than this index. */
  readonly oldest: number;
}

interface Size {
  readonly id: number;
  readonly size: number;
}

export class SearchIndex {
  readonly #connection: Connection;
  readonly #timer: NodeJS.Timeout;
  readonly #knownWords = new BoundedMap<string, true>(maxKnownWords);
  #adding: Promise<boolean> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#timer = setTimeout(() => void this.#keepUp(), quietMs).unref();
  }

  /** Call it before writes, so that the index waits for a quiet moment. */
  postpone(): void {
    this.#timer.refresh();
  }

  /** Resolves when every new passage is indexed, when it took too long, or when the database accepts no writes. */
  async catchUp(maxMs = maxCatchUpMs): Promise<void> {
    const until = performance.now() + maxMs;
    try {
      while ((await this.#addNew()) && performance.now() < until) await nextTick();
    } catch {
      // Other writes report the problem; the index tries again after the next one.
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Adds passages that are older than this index, newest first. */
  readonly addOld: Step = async () => {
    const added = await this.#connection.write(() => this.#add(sizesBefore, this.#marks().oldest, 'oldest'));
    if (added) await this.#merge();
    return added;
  };

  async #keepUp(): Promise<void> {
    await this.catchUp(Number.POSITIVE_INFINITY);
    await this.#merge().catch(() => undefined);
  }

  /** Every write adds a piece to the index. Left alone, SQLite merges many at once, which takes long. */
  async #merge(): Promise<void> {
    const changes = () =>
      (this.#connection.prepare('SELECT total_changes() AS n').all([])[0] as { n: number }).n;
    for (let isWorking = true; isWorking; ) {
      isWorking = await this.#connection.write(() => {
        const before = changes();
        this.#connection.prepare(mergeSome).run([]);
        // One change is the command itself.
        return changes() - before > 1;
      });
      await nextTick();
    }
  }

  /** Shared, because a caller that arrives while passages are being added also needs them to be committed. */
  #addNew(): Promise<boolean> {
    this.#adding ??= this.#addSome().finally(() => {
      this.#adding = undefined;
    });
    return this.#adding;
  }

  async #addSome(): Promise<boolean> {
    // Most of the time, there is nothing to commit.
    const { newest } = this.#marks();
    if (this.#connection.prepare(sizesAfter).all([newest]).length === 0) return false;
    return this.#connection.write(() => this.#add(sizesAfter, this.#marks().newest, 'newest'));
  }

  /** Returns whether it added anything. */
  #add(sizes: string, from: number, mark: keyof Marks): boolean {
    const ids = firstBytes(this.#connection.prepare(sizes).all([from]) as readonly Size[]);
    if (ids.length === 0) return false;
    const range = [Math.min(...ids), Math.max(...ids)];
    this.#connection.prepare(numberPeople).run(range);
    this.#connection.prepare(addWords).run(range);
    for (const { text } of this.#connection.prepare(textsBetween).all(range) as readonly { text: string }[])
      this.#addVocabulary(text);
    this.#connection.prepare(`UPDATE search_progress SET ${mark} = ?`).run([ids.at(-1) ?? from]);
    return true;
  }

  #addVocabulary(text: string): void {
    for (const word of new Set(wordsOf(folded(text)))) {
      if (word.length < shortestStart || word.length > longestWord || this.#knownWords.get(word)) continue;
      this.#connection.prepare(addWord).run([word]);
      this.#knownWords.set(word, true);
    }
  }

  #marks(): Marks {
    const [row] = this.#connection.prepare(marks).all([]) as readonly Marks[];
    return row ?? { newest: 0, oldest: 0 };
  }
}

/** Call it in a transaction, and delete the session with `remove`. */
export function* removeIndexed<T>(sessionId: SessionId, remove: () => Work<T>): Work<T> {
  yield* run(removeWords, [sessionId]);
  const result = yield* remove();
  yield* run(lowerMarks);
  return result;
}

function firstBytes(sizes: readonly Size[]): readonly number[] {
  let bytes = 0;
  const fitting = sizes.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= maxBytes;
  });
  return fitting.map(({ id }) => id);
}

const rowsPerStep = 100;
/** SQLite needs the rows up to this one to open the index, even to drop it. */
const lastHeaderRow = 10;

/** Deletes the index of earlier versions piece by piece: dropping it at once would block the server for seconds. */
export function dropOldIndex(connection: Connection): Step {
  const some = `SELECT id FROM passage_index_data WHERE id > ${lastHeaderRow} LIMIT ${rowsPerStep}`;
  return () =>
    connection.write(() => {
      const isThere = "SELECT 1 FROM sqlite_schema WHERE name = 'passage_index'";
      if (connection.prepare(isThere).all([]).length === 0) return false;
      const removed = connection.prepare(`DELETE FROM passage_index_data WHERE id IN (${some})`).run([]);
      if (removed === 0) connection.exec('DROP TABLE passage_index');
      return removed > 0;
    });
}
