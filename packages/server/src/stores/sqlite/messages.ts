// Messages of a conversation, with their full content blocks.
import type { Message, SessionId, TurnId } from '@parley/protocol';
import type { Connection } from './connection.ts';
import { decode, encode } from './json-column.ts';
import { query } from './schema.ts';
import { keepMessagePassage } from './search.ts';

/** Belongs in a transaction, together with the index. */
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
    keepMessagePassage(connection, turnId, message);
  }
}

export function listMessages(connection: Connection, sessionId: SessionId): readonly Message[] {
  const rows = connection.rows(
    query
      .selectFrom('messages')
      .select(['id', 'role', 'content'])
      .where('session_id', '=', sessionId)
      .orderBy('id'),
  );
  return rows.map((row) => ({
    role: row.role as Message['role'],
    content: decode(row.content, { table: 'message', id: row.id, column: 'content' }) as Message['content'],
  }));
}
