// What SQLite does in its own way: full-text search, lists as JSON, and sums that triggers keep.
import type { Message, TurnId } from '@parley/protocol';
import { sql } from 'kysely';
import { folded } from '../../content/snippet.ts';
import type { Dialect, Match, WantedWords } from '../sql/dialect.ts';
import { query } from '../sql/schema.ts';
import { all, first, run, type Work } from '../sql/work.ts';
import { placesPerPerson, removeIndexed, shortestStart } from './search-index.ts';

/** How many words that start like the last one of a query are searched for: the shortest ones. */
const maxStarted = 64;
const hitsPerRead = 200;
/** Passages of the first read. Each further read covers more, so that a search can end between two of them. */
const firstRange = 2 ** 18;
const rangeGrowth = 8;

// CROSS JOIN keeps the index outermost.
const newestMatches = `
  SELECT found.place AS place, passages.id AS id, turns.session_id AS sessionId, turns.id AS turnId,
    passages.role AS role, turns.status AS status
  FROM (
    SELECT rowid AS place FROM passage_words
    WHERE passage_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
    ORDER BY rowid DESC LIMIT ${hitsPerRead}
  ) AS found
  CROSS JOIN passages ON passages.id = found.place % ${placesPerPerson}
  CROSS JOIN turns ON turns.id = passages.turn_id
  ORDER BY found.place DESC`;
const numberOf =
  'SELECT number, (SELECT max(id) FROM passages) AS newest FROM search_people WHERE person = ?';
const lastCharacter = '\u{10ffff}';
const longerWords = `
  SELECT word FROM search_words WHERE word > ? AND word < ? ORDER BY length(word), word LIMIT ${maxStarted}`;

export const sqliteDialect: Dialect = {
  listed: (texts) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  nextPosition: '(SELECT coalesce(max(position), 0) + 1 FROM turns)',
  fullText: { add: addPassage, match: matchWords },

  // There is only one writer.
  *lock() {},

  *removing(session, remove) {
    // Before its rows, so that they aren't subtracted one by one.
    yield* run('DELETE FROM stored_sessions WHERE session_id = ?', [session]);
    return yield* removeIndexed(session, remove);
  },

  *storedBytes(person) {
    const sum = 'SELECT bytes FROM stored_people WHERE person = ?';
    return (yield* first<{ bytes: number }>(sum, [person]))?.bytes ?? 0;
  },
};

/** The index is updated later. */
function* addPassage(turnId: TurnId, role: Message['role'], text: string): Work<void> {
  yield* run(query.insertInto('passages').values({ turn_id: turnId, role, text }));
}

function* matchWords(wanted: WantedWords, take: (found: readonly Match[]) => boolean): Work<void> {
  const { person, words, isLastCut } = wanted;
  const quoted = words.map((word) => `"${word}"`);
  const last = isLastCut ? yield* wordsFrom(words.at(-1) ?? '') : quoted.at(-1);
  const known = yield* first<{ number: number; newest: number }>(numberOf, [person]);
  if (!known || last === undefined) return;
  const match = [...quoted.slice(0, -1), last].join(' AND ');
  const from = known.number * placesPerPerson;
  let end = from + known.newest;
  let range = firstRange;
  while (end >= from) {
    const start = Math.max(from, end - range);
    const found = yield* all<Match & { place: number }>(newestMatches, [match, start, end]);
    if (!take(found)) return;
    const isFull = found.length === hitsPerRead;
    end = (isFull ? (found.at(-1)?.place ?? start) : start) - 1;
    if (!isFull) range *= rangeGrowth;
  }
}

/** A query for the words that start like this one; undefined when there are none. */
function* wordsFrom(word: string): Work<string | undefined> {
  const start = folded(word);
  if (start.length < shortestStart) return `"${word}"*`;
  const longer = yield* all<{ word: string }>(longerWords, [start, start + lastCharacter]);
  return longer.length === 0 ? undefined : `(${longer.map((row) => `"${row.word}"`).join(' OR ')})`;
}
