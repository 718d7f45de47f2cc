// What PostgreSQL does in its own way: full-text search, lists as JSON, and a sequence for positions.
import type { Message, TurnId } from '@parley/protocol';
import { sql } from 'kysely';
import { folded, wordsOf } from '../../content/snippet.ts';
import type { Dialect, Match, WantedWords } from '../sql/dialect.ts';
import { all, first, run, type Work } from '../sql/work.ts';

/** The newest passages of a person are read one by one, which is fast for words that occur often. */
const firstPassages = 1_000;
const maxHits = 200;
/** A longer word is cut, in the index and in queries. */
const longestWord = 64;

/** Each word in the index starts with a mark of its person, so that a search never reads the words of others. */
const personMark = "left(md5(person), 6) || ':'";
const indexed = (words: string) => `
  array_to_tsvector(ARRAY(SELECT ${personMark} || word FROM json_array_elements_text(${words}) AS word))`;
const addPassage = `
  INSERT INTO passages (turn_id, person, role, text, words)
  SELECT id, person, ?, ?, ${indexed('CAST(? AS json)')} FROM turns WHERE id = ?`;
/** The same for many passages that have numbers already, as JSON. */
const addPassages = `
  INSERT INTO passages (id, turn_id, person, role, text, words)
  SELECT given.id, given.turn_id, turns.person, given.role, given.text, ${indexed('given.words')}
  FROM json_to_recordset(CAST(? AS json)) AS given(id bigint, turn_id text, role text, text text, words json)
  JOIN turns ON turns.id = given.turn_id`;

const columns = `
  found.id AS id, turns.session_id AS "sessionId", turns.id AS "turnId", found.role AS role, turns.status AS status`;
const newestMatches = `
  SELECT ${columns}
  FROM (
    SELECT id, turn_id, role FROM (
      SELECT id, turn_id, role, words FROM passages WHERE person = ? ORDER BY id DESC LIMIT ${firstPassages}
    ) AS newest
    WHERE words @@ CAST(? AS tsquery)
  ) AS found
  JOIN turns ON turns.id = found.turn_id
  ORDER BY found.id DESC`;
// Materialized, because a scan in the order of the numbers would have to read everything if there are few hits.
const allMatches = `
  WITH matching AS MATERIALIZED (
    SELECT id, turn_id, role FROM passages WHERE person = ? AND words @@ CAST(? AS tsquery) AND id < ?
  ), found AS (
    SELECT id, turn_id, role FROM matching ORDER BY id DESC LIMIT ${maxHits}
  )
  SELECT ${columns} FROM found JOIN turns ON turns.id = found.turn_id ORDER BY found.id DESC`;

export const postgresDialect: Dialect = {
  listed: (texts) => sql`(SELECT json_array_elements_text(CAST(${JSON.stringify(texts)} AS json)))`,
  nextPosition: "nextval('turn_positions')",
  fullText: { add, match },

  *lock(table) {
    yield* run(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  },

  *removing(session, remove) {
    // Once the session is gone, the triggers on its rows no longer know whose they were.
    yield* run('SELECT forget_stored_bytes(?)', [session]);
    return yield* remove();
  },

  *storedBytes(person) {
    const sum = 'SELECT coalesce(sum(bytes), 0) AS bytes FROM stored_bytes WHERE person = ?';
    return (yield* first<{ bytes: number }>(sum, [person]))?.bytes ?? 0;
  },
};

function* add(turn: TurnId, role: Message['role'], text: string): Work<void> {
  yield* run(addPassage, [role, text, JSON.stringify(indexedWords(text)), turn]);
}

/** Adds passages from another database. They keep their numbers. */
export function* addNumberedPassages(rows: readonly { readonly [column: string]: unknown }[]): Work<void> {
  const given = rows.map((row) => ({ ...row, words: indexedWords(String(row['text'])) }));
  yield* run(addPassages, [JSON.stringify(given)]);
}

function indexedWords(text: string): readonly string[] {
  return [...new Set(wordsOf(folded(text)).map(cut))];
}

function* match(wanted: WantedWords, take: (found: readonly Match[]) => boolean): Work<void> {
  const { person, words, isLastCut } = wanted;
  const marked = yield* first<{ mark: string }>(
    `SELECT ${personMark} AS mark FROM (SELECT CAST(? AS text) AS person) AS wanted`,
    [person],
  );
  const lexemes = words.map((word) => `'${marked?.mark}${cut(folded(word))}'`);
  const query = `${lexemes.join(' & ')}${isLastCut ? ':*' : ''}`;
  if (!take(yield* all<Match>(newestMatches, [person, query]))) return;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const found = yield* all<Match>(allMatches, [person, query, before]);
    if (!take(found) || found.length < maxHits) return;
    before = found.at(-1)?.id ?? 0;
  }
}

function cut(word: string): string {
  return word.slice(0, longestWord);
}
