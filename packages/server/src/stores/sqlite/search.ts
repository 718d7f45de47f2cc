// Full-text search over prompts and answers: whole words first, then words that begin like the last one; the newest first.
import {
  type Message,
  messageText,
  type PersonName,
  promptText,
  type SessionId,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { SearchHit } from '../../domain/store.ts';
import type { Connection } from './connection.ts';
import type { Reader } from './reader.ts';
import { query } from './schema.ts';
import { placesOf, placesPerPerson, shortestStart } from './search-index.ts';
import { folded, snippetOf, wordsOf } from './snippet.ts';

/** More words make a query slower but hardly more specific. */
const maxWords = 32;
/** The shortest of the words that start like the last one of a query. */
const maxStarted = 64;
/** A search returns what it found until then. */
const mostMs = 1_000;
const hitsPerRead = 200;
/** Passages of the first read. Each further read covers more, so that a search can end between two of them. */
const firstRange = 2 ** 18;
const rangeGrowth = 8;
/** A longer passage is stored in pieces, so that none takes long to index or to read. */
const pieceLength = 16_000;
const snippetsPerStep = 20;

// CROSS JOIN keeps the index outermost. A turn is one hit per role, however many passages it has.
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
const newestPlace = 'SELECT max(id) + ? AS place FROM passages';
const texts = `
  SELECT id, substr(text, 1, ${2 * pieceLength}) AS text FROM passages
  WHERE id IN (SELECT value FROM json_each(?))`;

const lastCharacter = '\u{10ffff}';
const longerWords = `
  SELECT word FROM search_words WHERE word > ? AND word < ? ORDER BY length(word), word LIMIT ${maxStarted}`;

interface Match extends Omit<SearchHit, 'snippet'> {
  readonly place: number;
  readonly id: number;
  readonly status: Turn['status'];
}

export async function search(
  { connection, reader }: { readonly connection: Connection; readonly reader: Reader },
  { person, among }: { readonly person: PersonName; readonly among: ReadonlySet<SessionId> | undefined },
  text: string,
  limit: number,
): Promise<readonly SearchHit[]> {
  const words = wordsOf(text).slice(0, maxWords);
  const places = placesOf(connection, person);
  if (words.length === 0 || !places) return [];
  const until = performance.now() + mostMs;
  const found = new Map<string, Match>();
  const collect = async (match: string) => {
    for await (const rows of matchesIn(reader, match, places)) {
      for (const row of rows) {
        if (among && !among.has(row.sessionId)) continue;
        const key = row.turnId + row.role;
        if (row.status !== 'withdrawn' && !found.has(key)) found.set(key, row);
        if (found.size === limit) return;
      }
      if (performance.now() > until) return;
    }
  };
  const quoted = words.map((word) => `"${word}"`);
  await collect(quoted.join(' AND '));
  const started = found.size < limit ? await wordsFrom(reader, words.at(-1) ?? '') : undefined;
  if (started !== undefined) await collect([...quoted.slice(0, -1), started].join(' AND '));
  return withSnippets(reader, [...found.values()], words);
}

/** A query for the words that start like this one; undefined when there are none. */
async function wordsFrom(reader: Reader, word: string): Promise<string | undefined> {
  const start = folded(word);
  if (start.length < shortestStart) return `"${word}"*`;
  const rows = await reader.all<{ word: string }>(longerWords, [start, start + lastCharacter]);
  return rows.length === 0 ? undefined : `(${rows.map((row) => `"${row.word}"`).join(' OR ')})`;
}

/** Newest first. */
async function* matchesIn(
  reader: Reader,
  match: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncIterable<readonly Match[]> {
  const [newest] = await reader.all<{ place: number | null }>(newestPlace, [from]);
  let end = Math.min(to, newest?.place ?? to);
  let range = firstRange;
  while (end >= from) {
    const start = Math.max(from, end - range);
    const rows = await reader.all<Match>(newestMatches, [match, start, end]);
    yield rows;
    const isFull = rows.length === hitsPerRead;
    end = (isFull ? (rows.at(-1)?.place ?? start) : start) - 1;
    if (!isFull) range *= rangeGrowth;
  }
}

async function withSnippets(
  reader: Reader,
  matches: readonly Match[],
  words: readonly string[],
): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let start = 0; start < matches.length; start += snippetsPerStep) {
    const step = matches.slice(start, start + snippetsPerStep);
    const ids = JSON.stringify(step.map(({ id }) => id));
    const rows = await reader.all<{ id: number; text: string }>(texts, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row.text]));
    for (const { sessionId, turnId, role, id } of step)
      hits.push({ sessionId, turnId, role, snippet: snippetOf(byId.get(id) ?? '', words) });
  }
  return hits;
}

export function addPromptPassage(connection: Connection, turn: Turn): void {
  addPassages(connection, turn.id, 'user', promptText(turn.prompt));
}

export function addMessagePassage(connection: Connection, turnId: TurnId, message: Message): void {
  addPassages(connection, turnId, message.role, messageText(message.content));
}

function addPassages(connection: Connection, turnId: TurnId, role: Message['role'], words: string): void {
  // The driver would cut the text at a NUL.
  for (const text of piecesOf(words.replaceAll('\0', ' '))) {
    if (text.trim() !== '')
      connection.change(query.insertInto('passages').values({ turn_id: turnId, role, text }));
  }
}

/** Cuts at spaces where there are any. */
function* piecesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength;
    const space = end < text.length ? text.lastIndexOf(' ', end) : end;
    const cut = space > start ? space : end;
    yield text.slice(start, cut);
    start = cut;
  }
}
