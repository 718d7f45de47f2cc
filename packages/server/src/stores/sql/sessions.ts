// Sessions: one row each, listed in pages by (updatedAt, id), newest first.
import {
  hasMatchingSettings,
  ParleyError,
  type PersonName,
  type Session,
  type SessionId,
} from '@parley/protocol';
import { sql } from 'kysely';
import type { SessionChange, SessionListing, SessionPage } from '../../domain/store.ts';
import type { Dialect } from './dialect.ts';
import { damagedColumn, decode, encode } from './json-column.ts';
import { query, type SessionRow } from './schema.ts';
import { all, first, run, type Work } from './work.ts';

/** False while the session is hidden because somebody removed it. */
export const isVisible = sql<boolean>`(removed_until IS NULL OR removed_until < 0)`;

export function* findSession(id: SessionId): Work<Session | undefined> {
  const found = yield* findSessionRow(id);
  return found && toSession(found);
}

export function findSessionRow(id: SessionId) {
  return first(query.selectFrom('sessions').selectAll().where('id', '=', id).where(isVisible));
}

export function* insertSession(session: Session): Work<void> {
  yield* run(query.insertInto('sessions').values(toRow(session)));
}

export function* listSessions(
  { listed }: Dialect,
  person: PersonName,
  { limit, cursor, also = [], assistants, only, except = [] }: SessionListing,
): Work<SessionPage> {
  let page = query
    .selectFrom('sessions')
    .selectAll()
    // Nobody wants to see a session that is about to be deleted.
    .where('removed_until', 'is', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (only) page = page.where('id', 'in', listed(only));
  if (except.length > 0) page = page.where('id', 'not in', listed(except));
  if (cursor !== undefined) {
    const last = parseCursor(cursor);
    page = page.where((where) =>
      where(where.refTuple('updated_at', 'id'), '<', where.tuple(last.updatedAt, last.id)),
    );
  }
  if (assistants) {
    const assistant = sql<string>`CASE WHEN engine = 'claude-code' THEN engine ELSE assistant END`;
    page = page.where(assistant, 'in', listed(assistants));
  }
  const own = yield* all(page.where('person', '=', person).where('is_hidden', '=', 0));
  // Separately, because a query for both could not read the index in order. A branch of the owner is not shared, so it
  // does not replace the session that is.
  const others = page.where('person', '<>', person).where('id', 'in', listed(also));
  const found = also.length === 0 ? own : [...own, ...(yield* all(others))].sort(newestFirst);
  const sessions = found.slice(0, limit).map(toSession);
  const last = sessions.at(-1);
  return found.length > limit && last ? { sessions, next: toCursor(last) } : { sessions };
}

export function* changeSession(id: SessionId, change: SessionChange): Work<boolean> {
  const row: Partial<SessionRow> = {};
  if (change.title !== undefined) row.title = encode(change.title);
  if (change.settings !== undefined) row.settings = encode(change.settings);
  if (change.updatedAt !== undefined) row.updated_at = change.updatedAt;
  if (Object.keys(row).length === 0) return (yield* findSessionRow(id)) !== undefined;
  return (yield* run(query.updateTable('sessions').set(row).where('id', '=', id))) > 0;
}

/** Call it in a transaction. The tables cascade: its turns, messages, passages and events are deleted too. */
export function removeSession({ removing }: Dialect, id: SessionId): Work<boolean> {
  return removing(id, function* () {
    return (yield* run(query.deleteFrom('sessions').where('id', '=', id))) > 0;
  });
}

function toRow(session: Session): SessionRow {
  return {
    id: session.id,
    person: session.person,
    engine: session.engine,
    assistant: session.assistant,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    title: encode(session.title),
    settings: encode(session.settings),
  };
}

export function toSession(row: SessionRow): Session {
  const at = (column: string) => ({ table: 'session', id: row.id, column });
  const session = {
    id: row.id,
    person: row.person,
    engine: row.engine as Session['engine'],
    assistant: row.assistant,
    title: decode(row.title, at('title')) as string,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    settings: decode(row.settings, at('settings')),
  };
  if (!hasMatchingSettings(session)) throw damagedColumn(at('settings'));
  return session;
}

function newestFirst(a: SessionRow, b: SessionRow): number {
  return b.updated_at - a.updated_at || (a.id < b.id ? 1 : -1);
}

interface Cursor {
  readonly updatedAt: number;
  readonly id: SessionId;
}

function toCursor({ updatedAt, id }: Cursor): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

function parseCursor(cursor: string): Cursor {
  try {
    const [updatedAt, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof updatedAt === 'number' && typeof id === 'string') return { updatedAt, id };
  } catch {
    // Refused below like any other invalid cursor.
  }
  throw new ParleyError('invalid', 'This cursor is invalid. Use the one from the previous page of sessions.');
}
