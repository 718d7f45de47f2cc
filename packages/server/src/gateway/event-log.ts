// The newest events of one session, in memory and bounded. Readers hold only a number and pull what comes
// after it, so a slow reader costs nothing; see docs/adr/0002.
import type { Envelope, Seq } from '@parley/protocol';

export interface EventLogLimits {
  readonly events: number;
  readonly bytes: number;
}

export class EventLog {
  readonly #limits: EventLogLimits;
  #events: Envelope[] = [];
  /** Events before this index are evicted; they are cut off in bulk, so that eviction costs O(1). */
  #head = 0;
  #bytes = 0;
  #lastSeq: Seq;
  #wake: (() => void) | undefined;
  #changed: Promise<void> | undefined;
  #ended = false;

  constructor(lastSeq: Seq, limits: EventLogLimits) {
    this.#lastSeq = lastSeq;
    this.#limits = limits;
  }

  get lastSeq(): Seq {
    return this.#lastSeq;
  }

  /** The oldest number still in memory; one beyond the last when none is. */
  get firstSeq(): Seq {
    return this.#lastSeq - (this.#events.length - this.#head) + 1;
  }

  get ended(): boolean {
    return this.#ended;
  }

  append(envelope: Envelope): void {
    if (envelope.seq !== this.#lastSeq + 1) throw new Error(`event ${envelope.seq} after ${this.#lastSeq}`);
    this.#lastSeq = envelope.seq;
    this.#events.push(envelope);
    this.#bytes += weight(envelope);
    while (this.#events.length - this.#head > 1 && this.#isOverLimit()) this.#evict();
    this.nudge();
  }

  /**
   * Events after the number, oldest first; the caller makes sure that they are still in memory. Only so many at once,
   * because a reader that stops midway keeps them from being freed.
   */
  after(seq: Seq, most: number): readonly Envelope[] {
    const start = this.#head + (seq + 1 - this.firstSeq);
    return this.#events.slice(start, start + most);
  }

  /** Resolves at the next event, at the end, or at a nudge. */
  changed(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    this.#changed ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#changed;
  }

  /** No event will come any more: readers finish what is there. */
  end(): void {
    this.#ended = true;
    this.nudge();
  }

  /** Wakes the readers to look again, at the log and at whether they are still wanted. */
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
    const evicted = this.#events[this.#head];
    if (evicted) this.#bytes -= weight(evicted);
    this.#head += 1;
    if (this.#head < 1024 && this.#head * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }
}

/** About how many bytes an event holds; exact for those that can be large. */
function weight({ event }: Envelope): number {
  switch (event.type) {
    case 'frame':
      // The strings in its meaning are copies.
      return 200 + 2 * event.raw.length;
    case 'text.delta':
    case 'thinking.delta':
      return 200 + event.text.length;
    case 'message':
    case 'turn.started':
    case 'queue.changed':
      return JSON.stringify(event).length;
    default:
      return 400;
  }
}
