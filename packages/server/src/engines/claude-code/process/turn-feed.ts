// The way of events from the process, which speaks when it likes, to the turn, which asks for the next one.
// Bounded: whoever fills it waits for room.
import type { EngineEvent } from '@parley/protocol';

const highWater = 512;

export class TurnFeed implements AsyncIterable<EngineEvent> {
  #events: EngineEvent[] = [];
  #next = 0;
  #isEnded = false;
  #wakeReader: (() => void) | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  push(events: readonly EngineEvent[]): void {
    if (this.#isEnded) return;
    for (const event of events) this.#events.push(event);
    this.#wakeReader?.();
  }

  /** What is there is still delivered. */
  end(): void {
    this.#isEnded = true;
    this.#room?.open();
    this.#wakeReader?.();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Resolves when the reader has caught up; undefined while there is room. */
  room(): Promise<void> | undefined {
    if (this.#isEnded || this.#size < highWater) return undefined;
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
    for (;;) {
      while (this.#next < this.#events.length) yield this.#take();
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
      this.#wakeReader = undefined;
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
