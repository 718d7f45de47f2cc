// The way of events from the process, which speaks when it likes, to the turn, which asks for the next one.
// Bounded: whoever fills it waits for room.
import type { EngineEvent } from '@parley/protocol';

const highWater = 512;

export class TurnFeed implements AsyncIterable<EngineEvent> {
  #events: EngineEvent[] = [];
  #next = 0;
  #isEnded = false;
  #isDone = false;
  #wakeReader: (() => void) | undefined;
  readonly #readUp: (() => void)[] = [];

  /**
   * False when nobody reads any more. What comes after the end, but before the reader has got there, is still
   * delivered: it must not overtake what waits here.
   */
  push(events: readonly EngineEvent[]): boolean {
    if (this.#isDone) return false;
    for (const event of events) this.#events.push(event);
    this.#wakeReader?.();
    return true;
  }

  /** Nobody reads any more: gives what was left. */
  close(): readonly EngineEvent[] {
    this.#isDone = true;
    this.#tellReadUp();
    return this.#events.splice(this.#next);
  }

  /** What is there is still delivered. */
  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Resolves when the reader has caught up; undefined while there is room. */
  room(): Promise<void> | undefined {
    return this.#events.length - this.#next < highWater ? undefined : this.readUp();
  }

  /** Resolves when the reader has dealt with all that is there. */
  readUp(): Promise<void> {
    if (this.#isDone || (this.#wakeReader && this.#next === this.#events.length)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#readUp.push(resolve);
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
        this.#tellReadUp();
        await woken;
        this.#wakeReader = undefined;
      }
    } finally {
      this.#isDone = true;
      this.#tellReadUp();
    }
  }

  #take(): EngineEvent {
    const event = this.#events[this.#next] as EngineEvent;
    this.#next += 1;
    if (this.#next === this.#events.length) {
      this.#events = [];
      this.#next = 0;
    }
    return event;
  }

  #tellReadUp(): void {
    for (const resolve of this.#readUp.splice(0)) resolve();
  }
}
