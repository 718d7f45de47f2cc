// Turns: admission by (person, key), the order of the queue, and what a restart has to resume.
import {
  ParleyError,
  type PersonName,
  type Session,
  type SessionId,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import { sql } from 'kysely';
import type { Admission, TurnChange } from '../../domain/store.ts';
import type { Connection } from './connection.ts';
import { showInFamily } from './families.ts';
import { decode, encode } from './json-column.ts';
import { query, type TurnRow } from './schema.ts';
import { addPromptPassage } from './search.ts';
import { findSession, insertSession } from './sessions.ts';

interface TurnFilter {
  readonly status?: readonly Turn['status'][];
  readonly last?: number;
}

/** Call it in a transaction: looking up the key and inserting are one step. */
export function admitTurn(
  connection: Connection,
  turn: Turn,
  session: Session,
  newSession: boolean,
): Admission {
  const earlier = findAdmission(connection, session.person, turn.key);
  if (earlier) return earlier;

  if (newSession) insertSession(connection, session);
  const kept = newSession ? session : ownSession(connection, turn.sessionId, session.person);
  connection.change(
    query.insertInto('turns').values({
      ...toRow(turn, kept.person),
      position: sql<number>`(select coalesce(max(position), 0) + 1 from turns)`,
    }),
  );
  addPromptPassage(connection, turn);
  showInFamily(connection, kept.id);
  return { turn, session: kept, fresh: true };
}

export function findAdmission(
  connection: Connection,
  person: PersonName,
  key: string,
): Admission | undefined {
  const row = connection.row(
    query.selectFrom('turns').selectAll().where('person', '=', person).where('key', '=', encode(key)),
  );
  if (!row) return undefined;
  const turn = toTurn(row);
  return { turn, session: ownSession(connection, turn.sessionId, person), fresh: false };
}

export function findTurn(connection: Connection, id: TurnId): Turn | undefined {
  const row = connection.row(query.selectFrom('turns').selectAll().where('id', '=', id));
  return row && toTurn(row);
}

export function listTurns(
  connection: Connection,
  sessionId: SessionId,
  filter: TurnFilter = {},
): readonly Turn[] {
  const { status, last } = filter;
  let turns = query.selectFrom('turns').selectAll().where('session_id', '=', sessionId);
  if (status) turns = turns.where('status', 'in', status);
  if (last === undefined) return connection.rows(turns.orderBy('position')).map(toTurn);
  return connection.rows(turns.orderBy('position', 'desc').limit(last)).map(toTurn).toReversed();
}

export function changeTurn(connection: Connection, id: TurnId, change: TurnChange): void {
  const row: Partial<TurnRow> = {};
  if (change.key !== undefined) row.key = encode(change.key);
  if (change.status !== undefined) row.status = change.status;
  if (change.text !== undefined) row.text = encode(change.text);
  if (change.usage !== undefined) row.usage = encode(change.usage);
  if (change.error !== undefined) row.error = encode(change.error);
  if (change.startedAt !== undefined) row.started_at = change.startedAt;
  if (change.endedAt !== undefined) row.ended_at = change.endedAt;
  if (Object.keys(row).length === 0) return;
  connection.change(query.updateTable('turns').set(row).where('id', '=', id));
}

/** Redistributes the positions of the queued turns: those in `order` first, then the others in their old order. */
export function reorderTurns(connection: Connection, sessionId: SessionId, order: readonly TurnId[]): void {
  const queued = connection.rows(
    query
      .selectFrom('turns')
      .select(['id', 'position'])
      .where('session_id', '=', sessionId)
      .where('status', '=', 'queued')
      .orderBy('position'),
  );
  const waiting = new Set(queued.map((turn) => turn.id));
  const wanted = new Set([...order.filter((id) => waiting.has(id)), ...waiting]);
  const positions = queued.map((turn) => turn.position);
  [...wanted].forEach((id, index) => {
    const position = positions[index];
    if (position === undefined || queued[index]?.id === id) return;
    connection.change(query.updateTable('turns').set({ position }).where('id', '=', id));
  });
}

export function unfinishedTurns(connection: Connection): readonly Turn[] {
  const turns = query
    .selectFrom('turns')
    .selectAll()
    // Literal, so that the partial index is used.
    .where(sql<boolean>`status in ('queued', 'running')`)
    .orderBy('position');
  return connection.rows(turns).map(toTurn);
}

function ownSession(connection: Connection, id: SessionId, person: PersonName): Session {
  const session = findSession(connection, id);
  if (session?.person === person) return session;
  throw new ParleyError('not_found', 'There is no such session.');
}

function toRow(turn: Turn, person: PersonName): Omit<TurnRow, 'position'> {
  return {
    id: turn.id,
    session_id: turn.sessionId,
    person,
    key: encode(turn.key),
    door: turn.door,
    status: turn.status,
    after_seq: turn.after,
    queued_at: turn.queuedAt,
    started_at: turn.startedAt ?? null,
    ended_at: turn.endedAt ?? null,
    usage: encode(turn.usage),
    error: turn.error ? encode(turn.error) : null,
    text: encode(turn.text),
    prompt: encode(turn.prompt),
    can_ask: turn.canAsk === false ? 0 : 1,
    origin: turn.origin ?? null,
  };
}

function toTurn(row: TurnRow): Turn {
  const at = (column: string) => ({ table: 'turn', id: row.id, column });
  return {
    id: row.id,
    sessionId: row.session_id,
    key: decode(row.key, at('key')) as string,
    door: row.door,
    ...(row.can_ask === 0 && { canAsk: false as const }),
    prompt: decode(row.prompt, at('prompt')) as Turn['prompt'],
    status: row.status as Turn['status'],
    after: row.after_seq,
    text: decode(row.text, at('text')) as string,
    usage: decode(row.usage, at('usage')) as Turn['usage'],
    ...(row.error !== null && { error: decode(row.error, at('error')) as NonNullable<Turn['error']> }),
    ...(row.origin !== null && { origin: row.origin }),
    queuedAt: row.queued_at,
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  };
}
