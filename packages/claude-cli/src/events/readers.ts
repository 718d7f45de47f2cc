// All readers of a session: event loops, frame loops and frame listeners. The slowest one sets the pace: the program is
// held back, and nothing is dropped.
import type { LiveFrame } from '../frames/frame.ts';
import type { ClaudeEvent } from './event.ts';
import { Feed } from './feed.ts';

/** May return a promise: then the program is held back until it settles. */
export type FrameListener = (frame: LiveFrame) => void | Promise<void>;

export interface ReadersOptions {
  readonly highWater: number;
  /** Holds the program's output until the returned function is called. */
  readonly hold: () => () => void;
}

/** How many status changes and errors since the last start later readers get. */
const MAX_REPLAYED = 32;

export class Readers {
  readonly #options: ReadersOptions;
  readonly #events = new Set<Feed<ClaudeEvent>>();
  readonly #frames = new Set<Feed<LiveFrame>>();
  readonly #listeners = new Map<FrameListener, (() => void) | undefined>();
  #replayed: ClaudeEvent[] = [];
  #isOver = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  get wantsEvents(): boolean {
    return this.#events.size > 0;
  }

  /** A new start: forgets the events of the last one. */
  restart(): void {
    this.#replayed = [];
    this.#isOver = false;
  }

  /** Ends every loop after it has read what is queued. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const onEnd of this.#listeners.values()) {
      try {
        onEnd?.();
      } catch (error) {
        this.#listenerFailed(error);
      }
    }
    for (const feed of this.#events) feed.end();
    for (const feed of this.#frames) feed.end();
    this.#events.clear();
    this.#frames.clear();
  }

  events(): AsyncIterableIterator<ClaudeEvent> {
    const feed = this.#open(this.#events);
    for (const event of this.#replayed) feed.push(event);
    if (this.#isOver) feed.end();
    return feed;
  }

  frames(): AsyncIterableIterator<LiveFrame> {
    const feed = this.#open(this.#frames);
    if (this.#isOver) feed.end();
    return feed;
  }

  /** If the session has ended, `onEnd` is called at once. */
  onFrame(listener: FrameListener, onEnd?: () => void): () => void {
    this.#listeners.set(listener, onEnd);
    if (this.#isOver) onEnd?.();
    return () => void this.#listeners.delete(listener);
  }

  publish(events: readonly ClaudeEvent[]): void {
    for (const event of events) {
      if (event.type === 'status_change' || event.type === 'error') this.#remember(event);
      for (const feed of this.#events) feed.push(event);
    }
  }

  deliver(frame: LiveFrame): void {
    for (const feed of this.#frames) feed.push(frame);
    for (const listener of this.#listeners.keys()) {
      try {
        const busy = listener(frame);
        if (busy !== undefined) void this.#holdUntil(busy);
      } catch (error) {
        this.#listenerFailed(error);
      }
    }
  }

  async #holdUntil(busy: Promise<void>): Promise<void> {
    const release = this.#options.hold();
    try {
      await busy;
    } catch (error) {
      this.#listenerFailed(error);
    } finally {
      release();
    }
  }

  /** A failing reader must not end the session of the others. */
  #listenerFailed(error: unknown): void {
    const message = `A frame listener failed: ${error instanceof Error ? error.message : String(error)}`;
    this.publish([{ type: 'metadata', kind: 'warning', reason: 'listener', message }]);
  }

  #open<Item>(feeds: Set<Feed<Item>>): Feed<Item> {
    const feed: Feed<Item> = new Feed({
      highWater: this.#options.highWater,
      onFull: this.#options.hold,
      onLeft: () => void feeds.delete(feed),
    });
    feeds.add(feed);
    return feed;
  }

  #remember(event: ClaudeEvent): void {
    this.#replayed.push(event);
    if (this.#replayed.length > MAX_REPLAYED) this.#replayed.shift();
  }
}
