// Messages of a conversation, with their full content blocks.
import type { Message, SessionId, Turn, TurnId } from '@parley/protocol';
import { endOf } from '../../domain/replaced-turns.ts';
import type { RecentMessages, SpokenTurn } from '../../domain/store.ts';
import type { Connection } from './connection.ts';
import { decode, encode } from './json-column.ts';
import { query } from './schema.ts';
import { addMessagePassage } from './search.ts';

/** Call it in a transaction. */
export function insertMessages(
  connection: Connection,
  sessionId: SessionId,
  turnId: TurnId,
  messages: readonly Message[],
): void {
  for (const message of messages) {
    const row = {
      session_id: sessionId,
      turn_id: turnId,
      role: message.role,
      content: encode(message.content),
    };
    connection.change(query.insertInto('messages').values(row));
    addMessagePassage(connection, turnId, message);
  }
}

/** Reads row by row, because a row may contain pictures: at most one unwanted turn is in memory. */
export function recentMessages(
  connection: Connection,
  sessionId: SessionId,
  isWanted: (turn: readonly Message[]) => boolean,
): RecentMessages {
  const turns: SpokenTurn[] = [];
  let end = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const turn = turnBefore(connection, sessionId, end);
    if (turn === undefined) return { turns: turns.toReversed(), olderTurns: 0 };
    if (!isWanted(turn.messages)) {
      return { turns: turns.toReversed(), olderTurns: countTurns(connection, sessionId, end) };
    }
    turns.push({ messages: turn.messages, end: turnEnd(connection, turn.id) });
    end = turn.firstId;
  }
}

interface StoredTurn {
  readonly id: TurnId;
  readonly firstId: number;
  readonly messages: Message[];
}

/** The newest messages before `end` that belong to one turn. */
function turnBefore(connection: Connection, sessionId: SessionId, end: number): StoredTurn | undefined {
  const rowBefore = connection.prepare(
    'SELECT id, turn_id, role, content FROM messages WHERE session_id = ? AND id < ? ORDER BY id DESC LIMIT 1',
  );
  const messages: Message[] = [];
  let turnId: TurnId | undefined;
  let firstId = end;
  for (;;) {
    const [row] = rowBefore.all([sessionId, firstId]) as MessageRow[];
    if (row === undefined || row.turn_id !== (turnId ?? row.turn_id)) break;
    turnId = row.turn_id;
    firstId = row.id;
    messages.push(toMessage(row));
  }
  return turnId === undefined ? undefined : { id: turnId, firstId, messages: messages.toReversed() };
}

function turnEnd(connection: Connection, id: TurnId): SpokenTurn['end'] {
  const row = connection.row(query.selectFrom('turns').select(['status', 'error']).where('id', '=', id));
  return row ? endOf({ status: row.status as Turn['status'], hasError: row.error !== null }) : 'completed';
}

function countTurns(connection: Connection, sessionId: SessionId, end: number): number {
  const [row] = connection
    .prepare('SELECT count(DISTINCT turn_id) AS turns FROM messages WHERE session_id = ? AND id < ?')
    .all([sessionId, end]) as { turns: number }[];
  return row?.turns ?? 0;
}

interface MessageRow {
  readonly id: number;
  readonly turn_id: TurnId;
  readonly role: string;
  readonly content: string;
}

function toMessage(row: MessageRow): Message {
  return {
    role: row.role as Message['role'],
    content: decode(row.content, { table: 'message', id: row.id, column: 'content' }) as Message['content'],
  };
}
