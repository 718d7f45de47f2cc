// Turns: admission by (person, key), the order of the queue, and what a restart has to resume.
import {
  ParleyError,
  type PersonName,
  promptText,
  type Session,
  type SessionId,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import { sql } from 'kysely';
import type { Admission, TurnChange } from '../../domain/store.ts';
import type { Dialect } from './dialect.ts';
import { showInFamily } from './families.ts';
import { decode, encode } from './json-column.ts';
import { query, type TurnRow } from './schema.ts';
import { addPassages } from './search.ts';
import { findSessionRow, insertSession, isVisible, toSession } from './sessions.ts';
import { all, first, run, type Work } from './work.ts';

interface TurnFilter {
  readonly status?: readonly Turn['status'][];
  readonly last?: number;
}

/** Call it in a transaction: looking up the key and inserting are one step. */
export function* admitTurn(
  { fullText, nextPosition }: Dialect,
  turn: Turn,
  session: Session,
  newSession: boolean,
): Work<Admission> {
  const found = newSession ? undefined : yield* sessionAndEarlier(turn, session.person);
  const earlier = found?.earlier === null ? undefined : yield* findAdmission(session.person, turn.key);
  if (earlier) return earlier;

  const known = newSession ? undefined : ownedBy(session.person, found);
  if (!known) yield* insertSession(session);
  const kept = known ? toSession(known) : session;
  const position = sql.raw<number>(nextPosition);
  yield* run(query.insertInto('turns').values({ ...toRow(turn, kept.person), position }));
  yield* addPassages(fullText, turn.id, 'user', promptText(turn.prompt));
  if (known?.is_hidden === 1) yield* showInFamily(kept.id);
  return { turn, session: kept, fresh: true };
}

export function* findAdmission(person: PersonName, key: string): Work<Admission | undefined> {
  const found = yield* first(
    query.selectFrom('turns').selectAll().where('person', '=', person).where('key', '=', encode(key)),
  );
  if (!found) return undefined;
  const turn = toTurn(found);
  const session = yield* ownSession(turn.sessionId, person);
  return { turn, session: toSession(session), fresh: false };
}

export function* findTurn(id: TurnId): Work<Turn | undefined> {
  const found = yield* first(query.selectFrom('turns').selectAll().where('id', '=', id));
  return found && toTurn(found);
}

export function* listTurns(sessionId: SessionId, { status, last }: TurnFilter = {}): Work<readonly Turn[]> {
  if (status?.length === 0) return [];
  let turns = query.selectFrom('turns').selectAll().where('session_id', '=', sessionId);
  if (status) turns = turns.where('status', 'in', status);
  if (last === undefined) return (yield* all(turns.orderBy('position'))).map(toTurn);
  return (yield* all(turns.orderBy('position', 'desc').limit(last))).map(toTurn).toReversed();
}

export function* changeTurn(id: TurnId, change: TurnChange): Work<void> {
  const row: Partial<TurnRow> = {};
  if (change.key !== undefined) row.key = encode(change.key);
  if (change.status !== undefined) row.status = change.status;
  if (change.text !== undefined) row.text = encode(change.text);
  if (change.usage !== undefined) row.usage = encode(change.usage);
  if (change.error !== undefined) row.error = encode(change.error);
  if (change.startedAt !== undefined) row.started_at = change.startedAt;
  if (change.endedAt !== undefined) row.ended_at = change.endedAt;
  if (Object.keys(row).length === 0) return;
  yield* run(query.updateTable('turns').set(row).where('id', '=', id));
}

/** Redistributes the positions of the queued turns: those in `order` first, then the others in their old order. */
export function* reorderTurns(sessionId: SessionId, order: readonly TurnId[]): Work<void> {
  const queued = yield* all(
    query
      .selectFrom('turns')
      .select(['id', 'position'])
      .where('session_id', '=', sessionId)
      .where('status', '=', 'queued')
      .orderBy('position'),
  );
  const waiting = new Set(queued.map((turn) => turn.id));
  const wanted = new Set([...order.filter((id) => waiting.has(id)), ...waiting]);
  for (const [index, id] of [...wanted].entries()) {
    const place = queued[index];
    if (place === undefined || place.id === id) continue;
    yield* run(query.updateTable('turns').set({ position: place.position }).where('id', '=', id));
  }
}

export function* unfinishedTurns(): Work<readonly Turn[]> {
  const turns = query
    .selectFrom('turns')
    .selectAll()
    // Literal, so that the partial index is used.
    .where(sql<boolean>`status in ('queued', 'running')`)
    .orderBy('position');
  return (yield* all(turns)).map(toTurn);
}

/** Both in one statement, because every prompt needs them. `earlier` is the turn that has the key already. */
function sessionAndEarlier({ sessionId, key }: Turn, person: PersonName) {
  return first(
    query
      .selectFrom('sessions')
      .leftJoin('turns', (join) => join.on('turns.person', '=', person).on('turns.key', '=', encode(key)))
      .selectAll('sessions')
      .select('turns.id as earlier')
      .where('sessions.id', '=', sessionId)
      .where(isVisible),
  );
}

function* ownSession(id: SessionId, person: PersonName) {
  return ownedBy(person, yield* findSessionRow(id));
}

function ownedBy<Row extends { readonly person: string }>(person: PersonName, session: Row | undefined): Row {
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
    author: turn.author ?? null,
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
    ...(row.author !== null && { author: row.author }),
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
