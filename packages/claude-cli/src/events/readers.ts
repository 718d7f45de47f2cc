// Everybody who reads a session: event loops, frame loops and frame listeners. The slowest one sets the pace,
// because the program is held back rather than anything being dropped.
import type { LiveFrame } from '../live-frame.ts';
import type { ClaudeEvent } from './event.ts';
import { Feed } from './feed.ts';

/** May return a promise: the program is then held back until it settles. */
export type FrameListener = (frame: LiveFrame) => void | Promise<void>;

export interface ReadersOptions {
  readonly highWater: number;
  /** Holds the program's output until the returned function is called. */
  readonly hold: () => () => void;
}

/** Status changes and errors since the last start, told to readers that come later. */
const MAX_KEPT = 32;

export class Readers {
  readonly #options: ReadersOptions;
  readonly #events = new Set<Feed<ClaudeEvent>>();
  readonly #frames = new Set<Feed<LiveFrame>>();
  readonly #listeners = new Map<FrameListener, (() => void) | undefined>();
  #kept: ClaudeEvent[] = [];
  #isOver = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  get wantsEvents(): boolean {
    return this.#events.size > 0;
  }

  /** A new start: what was kept belongs to the last one. */
  begin(): void {
    this.#kept = [];
    this.#isOver = false;
  }

  /** Ends every loop once it has read what is there. */
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
    for (const event of this.#kept) feed.push(event);
    if (this.#isOver) feed.end();
    return feed;
  }

  frames(): AsyncIterableIterator<LiveFrame> {
    const feed = this.#open(this.#frames);
    if (this.#isOver) feed.end();
    return feed;
  }

  /** One that comes to a session which has ended is told at once. */
  onFrame(listener: FrameListener, onEnd?: () => void): () => void {
    this.#listeners.set(listener, onEnd);
    if (this.#isOver) onEnd?.();
    return () => void this.#listeners.delete(listener);
  }

  tell(events: readonly ClaudeEvent[]): void {
    for (const event of events) {
      if (event.type === 'status_change' || event.type === 'error') this.#keep(event);
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

  /** One reader's mistake must not end the session of all others. */
  #listenerFailed(error: unknown): void {
    const message = `A frame listener failed: ${error instanceof Error ? error.message : String(error)}`;
    this.tell([{ type: 'metadata', kind: 'warning', reason: 'listener', message }]);
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

  #keep(event: ClaudeEvent): void {
    this.#kept.push(event);
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }
}
