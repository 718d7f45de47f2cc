// Stored events, many in one row, so that a flush of thousands of text deltas takes a few inserts. This is the hot path, so
// its statements are written by hand.
import type { Envelope, Seq, SessionId } from '@parley/protocol';
import { groupBy } from '../../basics/group-by.ts';
import { decode } from './json-column.ts';
import type { EventBatchRow } from './schema.ts';
import { all, first, run, type Work } from './work.ts';

// A reader parses whole rows, so a row is limited in number and size.
const maxEventsPerRow = 256;
const maxCharsPerRow = 256 * 1024;
const rowsPerRead = 8;

// Events of a session that was deleted in the meantime are dropped; they must not fail the whole flush.
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
export function* insertEvents(events: readonly Envelope[]): Work<void> {
  for (const [sessionId, ofSession] of groupBy(events, (event) => event.sessionId))
    yield* insertBatches(sessionId, ofSession);
}

export function* eventsAfter(sessionId: SessionId, after: Seq, limit: number): Work<readonly Envelope[]> {
  const found: Envelope[] = [];
  let from = after;
  while (found.length < limit) {
    const batches = yield* all<Batch>(batchesAfter, [sessionId, from]);
    addEvents(found, batches, { sessionId, after, limit });
    from = batches.at(-1)?.last_seq ?? from;
    if (batches.length < rowsPerRead) break;
  }
  return found;
}

export function* lastSeq(sessionId: SessionId): Work<Seq> {
  const greatest = yield* first<{ seq: Seq | null }>(greatestSeq, [sessionId]);
  return greatest?.seq ?? 0;
}

/** Call it in a transaction. Leaves an empty batch with the last number, so that it is not used again. */
export function* pruneEvents(sessionId: SessionId, upTo: Seq): Work<void> {
  const last = yield* lastSeq(sessionId);
  const straddling = yield* first<Batch>(batchesAfter, [sessionId, upTo]);

  yield* run(removeUpTo, [sessionId, upTo]);
  if (last > 0 && last <= upTo) yield* run(insertBatch, [last, last, '[]', sessionId]);
  if (!straddling || straddling.first_seq > upTo) return;

  const rest = parse(straddling, sessionId).filter((event) => event.seq > upTo);
  yield* run(removeUpTo, [sessionId, straddling.last_seq]);
  yield* insertBatches(sessionId, rest);
}

function* insertBatches(sessionId: SessionId, events: readonly StoredEvent[]): Work<void> {
  for (const { first_seq, last_seq, events: json } of toBatches(events))
    yield* run(insertBatch, [first_seq, last_seq, json, sessionId]);
}

/** Outside of the generator, because loops are faster there. */
function addEvents(
  found: Envelope[],
  batches: readonly Batch[],
  { sessionId, after, limit }: { readonly sessionId: SessionId; readonly after: Seq; readonly limit: number },
): void {
  for (const batch of batches) {
    if (found.length >= limit) return;
    for (const event of parse(batch, sessionId)) {
      if (event.seq > after && found.length < limit) found.push({ sessionId, ...event });
    }
  }
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
