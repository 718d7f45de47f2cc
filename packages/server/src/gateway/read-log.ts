// Reads one session's events from a number on: first what only the store still has, then what is in memory,
// then what comes. Nothing is skipped and nothing comes twice, because a reader is only a number.
import { type Envelope, ParleyError, type Seq } from '@parley/protocol';
import type { EventLog } from './event-log.ts';

/** Fetches kept events after a number, oldest first, a page at a time; empty when there are none. */
export type FetchKept = (after: Seq, limit: number) => Promise<readonly Envelope[]>;

/** From the store. */
const pageSize = 500;
/** From memory. */
const batchSize = 64;

export async function* readLog(
  log: EventLog,
  after: Seq,
  fetchKept: FetchKept | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Envelope, void, undefined> {
  if (after > log.lastSeq) throw lagged();
  const nudge = () => log.nudge();
  signal?.addEventListener('abort', nudge, { once: true });
  let cursor = after;
  try {
    while (!signal?.aborted) {
      if (cursor + 1 < log.firstSeq) {
        if (!fetchKept) throw lagged();
        const page = await fetchKept(cursor, pageSize);
        await refuseForgotten(cursor, page[0], fetchKept);
        for (const envelope of page) {
          if (signal?.aborted) return;
          cursor = envelope.seq;
          yield envelope;
        }
        // Numbers leap after a crash: when the store has no more, memory is next.
        if (page.length === 0) cursor = log.firstSeq - 1;
        continue;
      }
      const fresh = log.after(cursor, batchSize);
      for (const envelope of fresh) {
        if (signal?.aborted) return;
        cursor = envelope.seq;
        yield envelope;
      }
      if (fresh.length > 0) continue;
      if (log.ended) return;
      await log.changed();
    }
  } finally {
    signal?.removeEventListener('abort', nudge);
  }
}

/** Kept logs begin at 1; where the first one kept is later, older ones were forgotten. */
async function refuseForgotten(cursor: Seq, next: Envelope | undefined, fetchKept: FetchKept): Promise<void> {
  if (next?.seq === cursor + 1) return;
  const [first] = await fetchKept(0, 1);
  if (first && first.seq > 1 && cursor + 1 < first.seq) throw lagged();
}

function lagged(): ParleyError {
  return new ParleyError(
    'lagged',
    'These events are no longer kept. Load the session again, then go on from there.',
  );
}
