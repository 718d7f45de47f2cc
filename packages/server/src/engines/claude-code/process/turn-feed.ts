// Carries events from the process, which writes at any time, to the turn, which asks for one at a time. Bounded: the
// process waits for room.
import type { EngineEvent } from '@parley/protocol';

const highWater = 512;
const highWaterBytes = 8 * 1024 * 1024;

export class TurnFeed implements AsyncIterable<EngineEvent> {
  #events: EngineEvent[] = [];
  #next = 0;
  #bytes = 0;
  #isEnded = false;
  #isDone = false;
  #wakeReader: (() => void) | undefined;
  readonly #whenCaughtUp: (() => void)[] = [];

  /**
   * False if nobody is reading. Events after the end are still delivered if the reader hasn't reached it, so that they
   * don't overtake the waiting ones.
   */
  push(events: readonly EngineEvent[]): boolean {
    if (this.#isDone) return false;
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += sizeOf(event);
    }
    this.#wakeReader?.();
    return true;
  }

  /** Call it when the reader is gone. Returns what it hasn't read. */
  close(): readonly EngineEvent[] {
    this.#isDone = true;
    this.#resolveCaughtUp();
    return this.#events.splice(this.#next);
  }

  /** Events that are already here are still delivered. */
  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Resolves when the reader has caught up; undefined while there is room. */
  room(): Promise<void> | undefined {
    const isFull = this.#events.length - this.#next >= highWater || this.#bytes >= highWaterBytes;
    return isFull ? this.caughtUp() : undefined;
  }

  /** Resolves when the reader has handled everything that is here. */
  caughtUp(): Promise<void> {
    if (this.#isDone || (this.#wakeReader && this.#next === this.#events.length)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenCaughtUp.push(resolve);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EngineEvent, void, undefined> {
    try {
      for (;;) {
        while (this.#next < this.#events.length) yield this.#take();
        if (this.#isEnded) return;
        const woken = new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
        this.#resolveCaughtUp();
        await woken;
        this.#wakeReader = undefined;
      }
    } finally {
      this.#isDone = true;
      this.#resolveCaughtUp();
    }
  }

  #take(): EngineEvent {
    const event = this.#events[this.#next] as EngineEvent;
    this.#next += 1;
    this.#bytes -= sizeOf(event);
    if (this.#next === this.#events.length) {
      this.#events = [];
      this.#next = 0;
    }
    return event;
  }

  #resolveCaughtUp(): void {
    for (const resolve of this.#whenCaughtUp.splice(0)) resolve();
  }
}

function sizeOf(event: EngineEvent): number {
  return event.type === 'frame' ? event.raw.length : 0;
}
