// Copies turns to a session that begins like another one, so that each of the two is complete.
import {
  type Envelope,
  ParleyError,
  type SessionEvent,
  type SessionId,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import { derivedId } from '../../basics/derived-id.ts';
import { withoutReplaced } from '../../domain/replaced-turns.ts';
import type { Dialect } from './dialect.ts';
import { eventsAfter, insertEvents } from './events.ts';
import { query } from './schema.ts';
import { findTurn } from './turns.ts';
import { all, type Database, run, type Work } from './work.ts';

/** Each write blocks the server, so it must stay small. */
const turnsPerWrite = 20;
const eventsPerWrite = 200;

const copyTurn = (position: string) => `
  INSERT INTO turns (
    id, session_id, person, key, door, status, position, after_seq, queued_at, started_at, ended_at, usage, error, text,
    prompt, can_ask, origin, author
  )
  SELECT
    ?, ?, person, ?, door, status, ${position}, after_seq, queued_at, started_at,
    ended_at, usage, error, text, prompt, can_ask, coalesce(origin, id), author
  FROM turns WHERE id = ?`;
// Without their passages: a search finds them where they were said first.
const copyMessages = `
  INSERT INTO messages (session_id, turn_id, role, content)
  SELECT ?, ?, role, content FROM messages WHERE session_id = ? AND turn_id = ? ORDER BY id`;

export async function copyTurns(
  database: Database,
  { nextPosition }: Dialect,
  {
    from,
    to,
    turns,
  }: { readonly from: SessionId; readonly to: SessionId; readonly turns: readonly TurnId[] },
): Promise<void> {
  // Derived, so that a second server that makes the same fork fails instead of copying everything twice.
  const copies = turns.map((id) => [id, derivedId(to, id)] as const);
  await copyEvents(database, { from, to, copyOf: new Map(copies) });
  for (let at = 0; at < copies.length; at += turnsPerWrite) {
    await database.durable(function* () {
      for (const [id, copy] of copies.slice(at, at + turnsPerWrite)) {
        yield* run(copyTurn(nextPosition), [copy, to, JSON.stringify(copy), id]);
        yield* run(copyMessages, [to, copy, from, id]);
      }
    });
  }
}

/**
 * All turns that have ended if none is named. Leaves out earlier attempts at the same prompt, which the turn has replaced.
 */
export function* turnsBefore(
  session: SessionId,
  turn: TurnId | undefined,
): Work<readonly Pick<Turn, 'id' | 'origin'>[]> {
  const turns = yield* all(
    query
      .selectFrom('turns')
      .select(['id', 'origin', 'status'])
      .where('session_id', '=', session)
      .where('status', 'not in', ['queued', 'withdrawn'])
      .orderBy('position'),
  );
  let end = turn === undefined ? turns.length : turns.findIndex(({ id }) => id === turn);
  if (end < 0) throw new ParleyError('not_found', 'There is no such message in this conversation.');
  while (turn !== undefined && (yield* isReplaced(turns[end - 1]?.id, turn))) end -= 1;
  // A copy of a running turn would never end, because only one session gets its answer.
  const ended = turns.slice(0, end).filter(({ status }) => status !== 'running');
  return ended.map(({ id, origin }) => ({ id, ...(origin !== null && { origin }) }));
}

function* isReplaced(id: TurnId | undefined, by: TurnId): Work<boolean> {
  const earlier = id === undefined ? undefined : yield* findTurn(id);
  const later = yield* findTurn(by);
  return earlier !== undefined && later !== undefined && withoutReplaced([earlier, later]).length === 1;
}

interface CopiedEvents {
  readonly from: SessionId;
  readonly to: SessionId;
  readonly copyOf: ReadonlyMap<TurnId, TurnId>;
}

/** Keeps their numbers, and stops at the end of the last turn. What waits in the queue is not copied. */
async function copyEvents(database: Database, { from, to, copyOf }: CopiedEvents): Promise<void> {
  const open = new Set(copyOf.keys());
  let after = 0;
  while (open.size > 0) {
    const copies: Envelope[] = [];
    const page = await database.read(eventsAfter(from, after, eventsPerWrite));
    for (const { seq, at, turnId, event } of page) {
      after = seq;
      if (turnId === undefined) copies.push({ seq, at, sessionId: to, event: withoutQueue(event) });
      const copy = turnId && copyOf.get(turnId);
      if (copy) copies.push({ seq, at, sessionId: to, turnId: copy, event });
      if (turnId && event.type === 'turn.ended') open.delete(turnId);
      if (open.size === 0) break;
    }
    await database.relaxed(() => insertEvents(copies));
    if (page.length === 0) return;
  }
}

function withoutQueue(event: SessionEvent): SessionEvent {
  return event.type.startsWith('queue.') ? { type: 'queue.changed', prompts: [] } : event;
}
