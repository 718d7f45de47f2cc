// The newest events of one session, in memory and bounded. Readers hold only a number and pull what comes
// after it, so a slow reader costs nothing; see docs/adr/0002.
import { type Envelope, ParleyError, type Seq } from '@parley/protocol';

export interface EventLogLimits {
  readonly events: number;
  readonly bytes: number;
}

export class EventLog {
  readonly #limits: EventLogLimits;
  #events: Envelope[] = [];
  /** About how many bytes each event takes. */
  #weights: number[] = [];
  /** Events before this index are evicted; they are cut off in bulk, so eviction costs O(1). */
  #head = 0;
  #bytes = 0;
  #lastSeq: Seq;
  #wake: (() => void) | undefined;
  #changed: Promise<void> | undefined;
  #ended = false;
  #endedBy: ParleyError | undefined;

  constructor(lastSeq: Seq, limits: EventLogLimits) {
    this.#lastSeq = lastSeq;
    this.#limits = limits;
  }

  get lastSeq(): Seq {
    return this.#lastSeq;
  }

  /** The oldest number still in memory; one beyond the last if none is. */
  get firstSeq(): Seq {
    return this.#lastSeq - (this.#events.length - this.#head) + 1;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The error that readers get at the end, if any. */
  get endedBy(): ParleyError | undefined {
    return this.#endedBy;
  }

  append(envelope: Envelope): void {
    if (envelope.seq !== this.#lastSeq + 1) throw new Error(`event ${envelope.seq} after ${this.#lastSeq}`);
    this.#lastSeq = envelope.seq;
    const bytes = weight(envelope);
    this.#events.push(envelope);
    this.#weights.push(bytes);
    this.#bytes += bytes;
    while (this.#events.length - this.#head > 1 && this.#isOverLimit()) this.#evict();
    this.nudge();
  }

  /**
   * Events after the number, oldest first; the caller makes sure that they are still in memory. Limited in size,
   * because a reader that stops midway keeps them from being freed.
   */
  after(seq: Seq, most: number): readonly Envelope[] {
    const start = this.#head + (seq + 1 - this.firstSeq);
    const maxEnd = Math.min(start + most, this.#events.length);
    let bytes = 0;
    let end = start;
    while (end < maxEnd && bytes < batchBytes) bytes += this.#weights[end++] ?? 0;
    return this.#events.slice(start, end);
  }

  /** Resolves at the next event, at the end, or at a nudge. */
  changed(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    this.#changed ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#changed;
  }

  /** No more events follow: readers finish what is there, then get the error, if there is one. */
  end(error?: ParleyError): void {
    this.#ended = true;
    this.#endedBy ??= error;
    this.nudge();
  }

  /** Wakes the readers, so that they check the log and their signals again. */
  nudge(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    this.#changed = undefined;
    wake?.();
  }

  #isOverLimit(): boolean {
    return this.#events.length - this.#head > this.#limits.events || this.#bytes > this.#limits.bytes;
  }

  #evict(): void {
    this.#bytes -= this.#weights[this.#head] ?? 0;
    this.#head += 1;
    if (this.#head < 1024 && this.#head * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#head);
    this.#weights = this.#weights.slice(this.#head);
    this.#head = 0;
  }
}

/** About how many bytes an event takes; exact for large ones. */
export function weight({ event }: Envelope): number {
  switch (event.type) {
    case 'frame':
      // The strings in its meaning are copies.
      return 200 + 2 * event.raw.length;
    case 'text.delta':
    case 'thinking.delta':
      return 200 + event.text.length;
    default:
      return 200 + JSON.stringify(event).length;
  }
}

/** Fetches stored events after a number, oldest first, a page at a time; empty if there are none. */
type FetchStored = (after: Seq, limit: number) => Promise<readonly Envelope[]>;

/** From the store. */
const pageSize = 500;
/** From memory. */
const batchSize = 64;
const batchBytes = 256 * 1024;

/**
 * Reads one session's events from a number on: first from the store, if memory no longer has them, then from memory, then
 * new ones. Nothing is skipped and nothing comes twice, because a reader is only a number.
 */
export async function* readLog(
  log: EventLog,
  after: Seq,
  fetchStored: FetchStored | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Envelope, void, undefined> {
  if (after > log.lastSeq) throw lagged();
  const nudge = () => log.nudge();
  signal?.addEventListener('abort', nudge, { once: true });
  let cursor = after;
  try {
    while (!signal?.aborted) {
      if (cursor + 1 < log.firstSeq) {
        if (!fetchStored) throw lagged();
        const page = await fetchStored(cursor, pageSize);
        await refusePruned(cursor, page[0], fetchStored);
        for (const envelope of page) {
          if (signal?.aborted) return;
          cursor = envelope.seq;
          yield envelope;
        }
        // Numbers jump after a crash: when the store has no more, memory is next.
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
      if (log.endedBy) throw log.endedBy;
      if (log.ended) return;
      await log.changed();
    }
  } finally {
    signal?.removeEventListener('abort', nudge);
  }
}

/** Stored logs start at 1; if the first stored event is later, older ones were pruned. */
async function refusePruned(
  cursor: Seq,
  next: Envelope | undefined,
  fetchStored: FetchStored,
): Promise<void> {
  if (next?.seq === cursor + 1) return;
  const [first] = await fetchStored(0, 1);
  if (first && first.seq > 1 && cursor + 1 < first.seq) throw lagged();
}

function lagged(): ParleyError {
  return new ParleyError(
    'lagged',
    'These events are gone. Load the session again, then continue from there.',
  );
}
