// Full-text search over prompts and answers, and its index.
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type Message,
  messageText,
  type PersonName,
  promptText,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { SearchHit } from '../../domain/store.ts';
import type { Connection } from './connection.ts';
import { query } from './schema.ts';

/** More words make a query slower but hardly more specific. */
const maxWords = 32;

/** Only the newest matches are ranked, so that a search for a common word stays fast. */
const maxRanked = 5000;

// CROSS JOIN keeps the index outermost, so that it is read from its newest entry and no further than needed. A turn has many
// messages, but is one hit per role.
const bestPassages = `
  WITH matches AS MATERIALIZED (
    SELECT passages.id AS id, passages.turn_id AS turn_id, passages.role AS role, passage_index.rank AS score
    FROM passage_index
    CROSS JOIN passages ON passages.id = passage_index.rowid
    CROSS JOIN turns ON turns.id = passages.turn_id
    WHERE passage_index MATCH ? AND turns.person = ? AND turns.status <> 'withdrawn'
    ORDER BY passage_index.rowid DESC
    LIMIT ${maxRanked}
  )
  SELECT id, min(score) AS best FROM matches GROUP BY turn_id, role ORDER BY best, id DESC LIMIT ?`;

const hitOf = `
  SELECT turns.session_id AS sessionId, turns.id AS turnId, passages.role AS role,
    snippet(passage_index, 0, '', '', '…', 24) AS snippet
  FROM passage_index
  JOIN passages ON passages.id = passage_index.rowid
  JOIN turns ON turns.id = passages.turn_id
  WHERE passage_index MATCH ? AND passage_index.rowid = ?`;

export function search(
  connection: Connection,
  person: PersonName,
  text: string,
  limit: number,
): readonly SearchHit[] {
  const match = toMatch(text);
  if (match === undefined) return [];
  const best = connection.prepare(bestPassages).all([match, person, limit]) as readonly { id: number }[];
  const hit = connection.prepare(hitOf);
  return best.flatMap(({ id }) => hit.all([match, id]) as readonly SearchHit[]);
}

export function addPromptPassage(connection: Connection, turn: Turn): void {
  addPassage(connection, turn.id, 'user', promptText(turn.prompt));
}

export function addMessagePassage(connection: Connection, turnId: TurnId, message: Message): void {
  addPassage(connection, turnId, message.role, messageText(message.content));
}

function addPassage(connection: Connection, turnId: TurnId, role: Message['role'], words: string): void {
  if (words.trim() === '') return;
  // The driver would cut the text at a NUL.
  const text = words.replaceAll('\0', ' ');
  connection.change(query.insertInto('passages').values({ turn_id: turnId, role, text }));
}

/**
 * Quotes each word of a text, so that nothing is read as query syntax. All words must occur; the last one may be the start
 * of a word, for people who search while they type.
 */
function toMatch(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)?.slice(0, maxWords);
  if (!words) return undefined;
  return `${words.map((word) => `"${word}"`).join(' ')}*`;
}

const quietMs = 1_000;
/** Takes a few milliseconds. */
const passagesPerWrite = 20;

// Passages are indexed in the order of their ids, so all after the last indexed one are missing.
const indexNext = `
  INSERT INTO passage_index (rowid, text)
  SELECT id, text FROM passages
  WHERE id > (SELECT coalesce(max(id), 0) FROM passage_index_docsize)
  ORDER BY id LIMIT ${passagesPerWrite}`;

/** Indexes passages when nothing is written, or before a search: indexing an answer takes longer than storing it. */
export class SearchIndex {
  readonly #connection: Connection;
  readonly #timer: NodeJS.Timeout;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#timer = setTimeout(() => void this.catchUp(), quietMs).unref();
  }

  /** Call it before writes, so that the index waits for a quiet moment. */
  postpone(): void {
    this.#timer.refresh();
  }

  /** Resolves when every passage is indexed, or when the database accepts no writes. */
  async catchUp(): Promise<void> {
    try {
      while ((await this.#next()) === passagesPerWrite) await nextTick();
    } catch {
      // Other writes report the problem; the index tries again after the next one.
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #next(): Promise<number> {
    return this.#connection.write(() => this.#connection.prepare(indexNext).run([]));
  }
}
