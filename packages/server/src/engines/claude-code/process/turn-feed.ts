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
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

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
    this.#room?.open();
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
    if (this.#isDone || this.#size < highWater) return undefined;
    if (!this.#room) {
      let open = () => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#room = { promise, open };
    }
    return this.#room.promise;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EngineEvent, void, undefined> {
    try {
      for (;;) {
        while (this.#next < this.#events.length) yield this.#take();
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
        this.#wakeReader = undefined;
      }
    } finally {
      this.#isDone = true;
    }
  }

  get #size(): number {
    return this.#events.length - this.#next;
  }

  #take(): EngineEvent {
    const event = this.#events[this.#next] as EngineEvent;
    this.#next += 1;
    if (this.#next === this.#events.length) {
      this.#events = [];
      this.#next = 0;
      this.#room?.open();
      this.#room = undefined;
    }
    return event;
  }
}
