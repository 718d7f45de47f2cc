// All readers of a session: event loops, frame loops and frame listeners. The slowest one sets the pace: the program is
// held back, and nothing is dropped. Only a reader that takes nothing at all for too long is left behind.
import { ClaudeCliError } from '../errors.ts';
import type { LiveFrame } from '../frames/frame.ts';
import type { ClaudeEvent } from './event.ts';
import { Feed } from './feed.ts';

/** May return a promise: then the program is held back until it settles. */
export type FrameListener = (frame: LiveFrame) => void | Promise<void>;

export interface ReadersOptions {
  readonly highWater: number;
  /** Holds the program's output until the returned function is called. */
  readonly hold: () => () => void;
  /** How long a reader may block the program without reading anything. */
  readonly stallMs: number;
  /** A listener blocked the program for too long. It expects every frame, so the session can't continue. */
  readonly onStalledListener: (failure: ClaudeCliError) => void;
}

/** A new reader gets up to this many status changes and errors since the last start. */
const MAX_REPLAYED = 32;

export class Readers {
  readonly #options: ReadersOptions;
  readonly #events = new Set<Feed<ClaudeEvent>>();
  readonly #frames = new Set<Feed<LiveFrame>>();
  readonly #listeners = new Map<FrameListener, (() => void) | undefined>();
  #replayed: ClaudeEvent[] = [];
  #isOver = false;
  #isClosed = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  get wantsEvents(): boolean {
    return this.#events.size > 0;
  }

  /** Forgets the events of the last start. */
  restart(): void {
    this.#replayed = [];
    this.#isOver = false;
    this.#isClosed = false;
  }

  /** Ends every loop after it has read what is queued. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#replayed = [];
    for (const onEnd of this.#listeners.values()) {
      try {
        onEnd?.();
      } catch (error) {
        this.#listenerFailed(error);
      }
    }
    this.#endLoops();
  }

  /** Also ends the loops that wait for the next start. */
  close(): void {
    this.end();
    this.#isClosed = true;
    this.#endLoops();
  }

  /** If the session has ended, the loop waits for its next start. */
  events(): AsyncIterableIterator<ClaudeEvent> {
    const feed = this.#open(this.#events);
    for (const event of this.#replayed) feed.push(event);
    return feed;
  }

  frames(): AsyncIterableIterator<LiveFrame> {
    return this.#open(this.#frames);
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
    const { stallMs, onStalledListener } = this.#options;
    const stall = setTimeout(() => onStalledListener(stalled('A frame listener', stallMs)), stallMs).unref();
    try {
      await busy;
    } catch (error) {
      this.#listenerFailed(error);
    } finally {
      clearTimeout(stall);
      release();
    }
  }

  /** A failing listener must not end the session for the others. */
  #listenerFailed(error: unknown): void {
    const message = `A frame listener failed: ${error instanceof Error ? error.message : String(error)}`;
    this.publish([{ type: 'metadata', kind: 'warning', reason: 'listener', message }]);
  }

  #open<Item>(feeds: Set<Feed<Item>>): Feed<Item> {
    const { highWater, stallMs, hold } = this.#options;
    const feed: Feed<Item> = new Feed({
      highWater,
      stallMs,
      onFull: hold,
      onStalled: () => {
        feeds.delete(feed);
        const failure = stalled('A reader', stallMs);
        const message = `${failure.message} The session continues without it.`;
        this.publish([{ type: 'metadata', kind: 'warning', reason: 'reader_stalled', message }]);
        return failure;
      },
      onLeft: () => void feeds.delete(feed),
    });
    feeds.add(feed);
    if (this.#isClosed) feed.end();
    return feed;
  }

  #endLoops(): void {
    for (const feed of this.#events) feed.end();
    for (const feed of this.#frames) feed.end();
    this.#events.clear();
    this.#frames.clear();
  }

  #remember(event: ClaudeEvent): void {
    this.#replayed.push(event);
    if (this.#replayed.length > MAX_REPLAYED) this.#replayed.shift();
  }
}

function stalled(who: string, stallMs: number): ClaudeCliError {
  return new ClaudeCliError(
    'reader_stalled',
    `${who} held the program back for ${stallMs} ms without taking anything.`,
  );
}
