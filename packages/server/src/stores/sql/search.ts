// Full-text search over prompts and answers: whole words first, then words that begin like the last one; the newest first.
import type { Message, PersonName, SessionId, TurnId } from '@parley/protocol';
import { sql } from 'kysely';
import { snippetOf, wordsOf } from '../../content/snippet.ts';
import type { SearchHit } from '../../domain/store.ts';
import type { FullText, Match } from './dialect.ts';
import { query } from './schema.ts';
import { all, type Work } from './work.ts';

/** More words make a query slower but hardly more specific. */
const maxWords = 32;
/** After this time, a search returns what it has found. */
const maxMs = 1_000;
/** A longer passage is stored in pieces, so that none takes long to index or to read. */
const pieceLength = 16_000;
const snippetsPerStep = 20;

export function* search(
  fullText: FullText,
  { person, among }: { readonly person: PersonName; readonly among: ReadonlySet<SessionId> | undefined },
  text: string,
  limit: number,
): Work<readonly SearchHit[]> {
  const words = wordsOf(text).slice(0, maxWords);
  if (words.length === 0) return [];
  const until = performance.now() + maxMs;
  const found = new Map<string, Match>();
  const take = (matches: readonly Match[]): boolean => {
    for (const match of matches) {
      if (among && !among.has(match.sessionId)) continue;
      // A turn is one hit per role, however many passages it has.
      const key = match.turnId + match.role;
      if (match.status !== 'withdrawn' && !found.has(key)) found.set(key, match);
      if (found.size === limit) return false;
    }
    return performance.now() < until;
  };
  yield* fullText.match({ person, words, isLastCut: false }, take);
  if (found.size < limit) yield* fullText.match({ person, words, isLastCut: true }, take);
  return yield* withSnippets([...found.values()], words);
}

function* withSnippets(matches: readonly Match[], words: readonly string[]): Work<readonly SearchHit[]> {
  const hits: SearchHit[] = [];
  const start = sql<string>`substr(text, 1, ${sql.lit(2 * pieceLength)})`.as('text');
  for (let at = 0; at < matches.length; at += snippetsPerStep) {
    const step = matches.slice(at, at + snippetsPerStep);
    const ids = step.map(({ id }) => id);
    const texts = yield* all(query.selectFrom('passages').select(['id', start]).where('id', 'in', ids));
    const byId = new Map(texts.map((row) => [row.id, row.text]));
    for (const { sessionId, turnId, role, id } of step)
      hits.push({ sessionId, turnId, role, snippet: snippetOf(byId.get(id) ?? '', words) });
  }
  return hits;
}

/** Call it in a transaction. */
export function* addPassages(
  fullText: FullText,
  turnId: TurnId,
  role: Message['role'],
  words: string,
): Work<void> {
  // No database takes a NUL in a text.
  for (const text of piecesOf(words.replaceAll('\0', ' ')))
    if (text.trim() !== '') yield* fullText.add(turnId, role, text);
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
