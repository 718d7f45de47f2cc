// The turns of one session that wait, and when the next one runs. A prompt that is being admitted has a reserved place:
// at the front, so that it is admitted as running and later ones wait behind it, or behind the others.
import type { QueuedPrompt, Turn, TurnId } from '@parley/protocol';
import type { TurnSlot } from './turn-slot.ts';

export type Place = 'front' | 'behind';

export interface TurnQueueParts {
  /** How many may wait. */
  readonly most: number;
  readonly slot: TurnSlot;
  readonly run: (turn: Turn) => Promise<void>;
  /** The next turn waits only for turns of other sessions. */
  readonly onBlocked: () => void;
  /** How many of those come first. */
  readonly onAhead: (ahead: number) => void;
}

export class TurnQueue {
  readonly #parts: TurnQueueParts;
  #turns: Turn[] = [];
  /** Set while the front is reserved. */
  #front: { readonly freed: Promise<void>; free(): void } | undefined;
  #reservedBehind = 0;
  #isWorking = false;
  #isClosed = false;
  /** Set while the next turn waits for a slot. */
  #waiting: AbortController | undefined;
  #ahead: number | undefined;

  constructor(parts: TurnQueueParts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get prompts(): readonly QueuedPrompt[] {
    return this.#turns.map(toQueued);
  }

  get length(): number {
    return this.#turns.length;
  }

  /** How many turns of other sessions come first, if the next turn waits only for them. */
  get ahead(): number | undefined {
    return this.#ahead;
  }

  /** Settles when no prompt is being admitted as running any more. */
  get frontIsFree(): Promise<void> | undefined {
    return this.#front?.freed;
  }

  /** The front only if the next turn can start and none waits; undefined if the queue is full. */
  reserve({ canStart }: { readonly canStart: boolean }): Place | undefined {
    const isFirst = !this.#isWorking && !this.#front && this.#turns.length === 0;
    if (canStart && isFirst && this.#parts.slot.tryTake()) {
      this.#front = reservation();
      return 'front';
    }
    if (this.#turns.length + this.#reservedBehind >= this.#parts.most) return undefined;
    this.#reservedBehind += 1;
    return 'behind';
  }

  /** The reserved place is not needed. Resolves when the waiting turns have run, or at once if they are running already. */
  async release(place: Place): Promise<void> {
    this.#cancelReservation(place);
    if (place === 'front') this.#parts.slot.release();
    await this.#work();
  }

  /** A turn that was admitted as running is next. Resolves like `release`. */
  async add(turn: Turn, place?: Place): Promise<void> {
    if (place) this.#cancelReservation(place);
    if (turn.status === 'running') this.#turns.unshift(turn);
    else this.#turns.push(turn);
    await this.#work(place === 'front');
  }

  /** False if it is not waiting. */
  remove(turnId: TurnId): boolean {
    const before = this.#turns.length;
    this.#turns = this.#turns.filter((turn) => turn.id !== turnId);
    return this.#turns.length < before;
  }

  /** Turns that `order` doesn't name keep their order behind the others. Returns the order of all. */
  reorder(order: readonly TurnId[]): readonly TurnId[] {
    const rank = new Map(order.map((id, index) => [id, index]));
    const place = (turn: Turn) => rank.get(turn.id) ?? order.length;
    this.#turns.sort((a, b) => place(a) - place(b));
    return this.#turns.map((turn) => turn.id);
  }

  /** Drops the waiting turns. */
  close(): void {
    this.#turns = [];
    this.#isClosed = true;
    this.#waiting?.abort();
  }

  /** Runs one turn after the other, unless that is happening already. */
  async #work(hasSlotAlready = false): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    const { slot, run } = this.#parts;
    let hasSlot = hasSlotAlready;
    try {
      while (this.#hasNext && (hasSlot || slot.tryTake() || (await this.#waitForSlot()))) {
        try {
          // It may have been withdrawn while it waited for a slot.
          const turn = this.#turns.shift();
          if (turn) await run(turn);
        } finally {
          slot.release();
          hasSlot = false;
        }
      }
    } finally {
      this.#isWorking = false;
    }
  }

  /** False if the queue is closed first. */
  async #waitForSlot(): Promise<boolean> {
    const { slot, onBlocked, onAhead } = this.#parts;
    if (this.#isClosed) return false;
    this.#waiting = new AbortController();
    onBlocked();
    const isTaken = await slot.take(this.#waiting.signal, (ahead) => {
      this.#ahead = ahead;
      onAhead(ahead);
    });
    this.#waiting = undefined;
    this.#ahead = undefined;
    return isTaken;
  }

  get #hasNext(): boolean {
    return !this.#front && this.#turns.length > 0;
  }

  #cancelReservation(place: Place): void {
    if (place === 'behind') this.#reservedBehind -= 1;
    else {
      this.#front?.free();
      this.#front = undefined;
    }
  }
}

function reservation() {
  let free = () => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  return { freed, free };
}

export function toQueued({ id, prompt, author, queuedAt }: Turn): QueuedPrompt {
  return { turnId: id, prompt, ...(author !== undefined && { author }), queuedAt };
}
