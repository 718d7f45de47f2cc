// Stored events, many in one row, so that a flush of thousands of text deltas takes a few inserts. This is the hot path, so
// its statements are written by hand and stay prepared.
import type { Envelope, Seq, SessionId } from '@parley/protocol';
import type { Connection } from './connection.ts';
import { decode } from './json-column.ts';
import type { EventBatchRow } from './schema.ts';

// A reader parses whole rows, so a row is limited in number and size.
const maxEventsPerRow = 256;
const maxCharsPerRow = 256 * 1024;
const rowsPerRead = 8;

// Events of a session that was deleted meanwhile are dropped; they must not fail the whole flush.
const insertBatch = `
  INSERT INTO event_batches (session_id, first_seq, last_seq, events)
  SELECT id, ?, ?, ? FROM sessions WHERE id = ?`;
const batchesAfter = `
  SELECT first_seq, last_seq, events FROM event_batches
  WHERE session_id = ? AND last_seq > ? ORDER BY last_seq LIMIT ${rowsPerRead}`;
const greatestSeq = 'SELECT max(last_seq) AS seq FROM event_batches WHERE session_id = ?';
const removeUpTo = 'DELETE FROM event_batches WHERE session_id = ? AND last_seq <= ?';

type Batch = Pick<EventBatchRow, 'first_seq' | 'last_seq' | 'events'>;
/** The session is in the row, so it is left out of each event. */
type StoredEvent = Omit<Envelope, 'sessionId'>;

/** Call it in a transaction: one flush of many sessions is one commit. */
export function insertEvents(connection: Connection, events: readonly Envelope[]): void {
  const insert = connection.prepare(insertBatch);
  for (const [sessionId, ofSession] of bySession(events)) {
    for (const batch of toBatches(ofSession)) {
      insert.run([batch.first_seq, batch.last_seq, batch.events, sessionId]);
    }
  }
}

export function eventsAfter(
  connection: Connection,
  sessionId: SessionId,
  after: Seq,
  limit: number,
): readonly Envelope[] {
  const read = connection.prepare(batchesAfter);
  const found: Envelope[] = [];
  let from = after;
  while (found.length < limit) {
    const batches = read.all([sessionId, from]) as readonly Batch[];
    for (const batch of batches) {
      if (found.length >= limit) break;
      for (const event of parse(batch, sessionId)) {
        if (event.seq > after && found.length < limit) found.push({ sessionId, ...event });
      }
      from = batch.last_seq;
    }
    if (batches.length < rowsPerRead) break;
  }
  return found;
}

export function lastSeq(connection: Connection, sessionId: SessionId): Seq {
  const [row] = connection.prepare(greatestSeq).all([sessionId]) as readonly { seq: Seq | null }[];
  return row?.seq ?? 0;
}

/** Call it in a transaction. Leaves an empty batch with the last number, so that it is not used again. */
export function pruneEvents(connection: Connection, sessionId: SessionId, upTo: Seq): void {
  const last = lastSeq(connection, sessionId);
  const insert = connection.prepare(insertBatch);
  const [straddling] = connection.prepare(batchesAfter).all([sessionId, upTo]) as readonly Batch[];

  connection.prepare(removeUpTo).run([sessionId, upTo]);
  if (last > 0 && last <= upTo) insert.run([last, last, '[]', sessionId]);
  if (!straddling || straddling.first_seq > upTo) return;

  const rest = parse(straddling, sessionId).filter((event) => event.seq > upTo);
  connection.prepare(removeUpTo).run([sessionId, straddling.last_seq]);
  for (const batch of toBatches(rest)) {
    insert.run([batch.first_seq, batch.last_seq, batch.events, sessionId]);
  }
}

function bySession(events: readonly Envelope[]): Map<SessionId, Envelope[]> {
  const groups = new Map<SessionId, Envelope[]>();
  for (const event of events) {
    const group = groups.get(event.sessionId);
    if (group) group.push(event);
    else groups.set(event.sessionId, [event]);
  }
  return groups;
}

function* toBatches(events: readonly StoredEvent[]): Generator<Batch> {
  let parts: string[] = [];
  let chars = 0;
  let first: Seq | undefined;
  let last: Seq = 0;
  for (const { seq, turnId, at, event } of events) {
    const json = JSON.stringify({ seq, turnId, at, event });
    const full = parts.length >= maxEventsPerRow || chars + json.length > maxCharsPerRow;
    if (full && first !== undefined) {
      yield { first_seq: first, last_seq: last, events: `[${parts.join(',')}]` };
      parts = [];
      chars = 0;
      first = undefined;
    }
    parts.push(json);
    chars += json.length;
    first ??= seq;
    last = seq;
  }
  if (first !== undefined) yield { first_seq: first, last_seq: last, events: `[${parts.join(',')}]` };
}

function parse(batch: Batch, sessionId: SessionId): readonly StoredEvent[] {
  const id = `${batch.first_seq} to ${batch.last_seq} of session ${sessionId}`;
  return decode(batch.events, { table: 'events', id, column: 'events' }) as readonly StoredEvent[];
}
