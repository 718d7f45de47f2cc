// Messages of a session, with their full content blocks.
import { type Message, messageText, type SessionId, type Turn, type TurnId } from '@parley/protocol';
import { turnEndOf } from '../../domain/replaced-turns.ts';
import type { RecentMessages, SpokenTurn } from '../../domain/store.ts';
import type { Dialect } from './dialect.ts';
import { decode, encode } from './json-column.ts';
import { query } from './schema.ts';
import { addPassages } from './search.ts';
import { all, first, run, type Work } from './work.ts';

/** Call it in a transaction. */
export function* insertMessages(
  { fullText }: Dialect,
  sessionId: SessionId,
  turnId: TurnId,
  messages: readonly Message[],
): Work<void> {
  for (const message of messages) {
    const row = {
      session_id: sessionId,
      turn_id: turnId,
      role: message.role,
      content: encode(message.content),
    };
    yield* run(query.insertInto('messages').values(row));
    yield* addPassages(fullText, turnId, message.role, messageText(message.content));
  }
}

/** Reads one turn after the other, because messages may contain pictures: at most one unwanted turn is in memory. */
export function* recentMessages(
  sessionId: SessionId,
  isWanted: (turn: readonly Message[]) => boolean,
): Work<RecentMessages> {
  const turns: SpokenTurn[] = [];
  let end = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const before = [sessionId, end];
    const found: readonly MessageRow[] = yield* all(newestTurn, [...before, ...before, ...before]);
    const [oldest] = found;
    if (!oldest) return { turns: turns.toReversed(), olderTurns: 0 };
    const messages = found.map(toMessage);
    if (!isWanted(messages)) {
      const older = yield* first<{ turns: number }>(countTurns, [sessionId, end]);
      return { turns: turns.toReversed(), olderTurns: older?.turns ?? 0 };
    }
    const status = oldest.status as Turn['status'];
    turns.push({ messages, end: turnEndOf({ status, hasError: oldest.has_error === 1 }) });
    end = oldest.id;
  }
}

/** The newest messages before an id that belong to one turn, and how the turn ended. */
const newestTurn = `
  WITH newest AS (
    SELECT turn_id FROM messages WHERE session_id = ? AND id < ? ORDER BY id DESC LIMIT 1
  ), earlier AS (
    SELECT id FROM messages WHERE session_id = ? AND id < ? AND turn_id <> (SELECT turn_id FROM newest)
    ORDER BY id DESC LIMIT 1
  )
  SELECT messages.id, role, content, status, CASE WHEN error IS NULL THEN 0 ELSE 1 END AS has_error
  FROM newest
  JOIN turns ON turns.id = newest.turn_id
  JOIN messages ON messages.turn_id = newest.turn_id
  WHERE messages.session_id = ? AND messages.id < ? AND messages.id > coalesce((SELECT id FROM earlier), 0)
  ORDER BY messages.id`;

const countTurns = 'SELECT count(DISTINCT turn_id) AS turns FROM messages WHERE session_id = ? AND id < ?';

interface MessageRow {
  readonly id: number;
  readonly role: string;
  readonly content: string;
  readonly status: string;
  readonly has_error: number;
}

function toMessage(row: MessageRow): Message {
  return {
    role: row.role as Message['role'],
    content: decode(row.content, { table: 'message', id: row.id, column: 'content' }) as Message['content'],
  };
}
