// A session and its branches are a family. Lists show only the member that was used last; the others are hidden.
import type { SessionId } from '@parley/protocol';
import type { Connection } from './connection.ts';
import { query } from './schema.ts';

/** A family has the name of its first session. */
export function familyOf(connection: Connection, id: SessionId): SessionId {
  const row = connection.row(query.selectFrom('branches').select('family').where('session_id', '=', id));
  return row?.family ?? id;
}

/** Call it in a transaction, when a session is used. */
export function showInFamily(connection: Connection, id: SessionId): void {
  const state = query.selectFrom('sessions').select('is_hidden').where('id', '=', id);
  if (connection.row(state)?.is_hidden !== 1) return;
  const family = familyOf(connection, id);
  const branches = query.selectFrom('branches').select('session_id').where('family', '=', family);
  const hide = query.updateTable('sessions').set({ is_hidden: 1 });
  connection.change(hide.where('id', '=', family));
  connection.change(hide.where('id', 'in', branches));
  connection.change(query.updateTable('sessions').set({ is_hidden: 0 }).where('id', '=', id));
}
