// The turns of one session that wait, and when the next one runs. A prompt that is being admitted has its place
// promised: the one at the front, so that it is admitted as running and whatever comes meanwhile waits behind it, or
// one of those that may wait.
import type { QueuedPrompt, Turn, TurnId } from '@parley/protocol';
import type { TurnPlaces } from './turn-places.ts';

export type Place = 'front' | 'behind';

export interface TurnQueueParts {
  /** How many may wait. */
  readonly most: number;
  /** Shared by all sessions with the same engine. */
  readonly places: TurnPlaces;
  readonly run: (turn: Turn) => Promise<void>;
  readonly onHeldUp: () => void;
}

export class TurnQueue {
  readonly #parts: TurnQueueParts;
  readonly #closing = new AbortController();
  #turns: Turn[] = [];
  #isFrontPromised = false;
  #promisedBehind = 0;
  #isAtWork = false;
  #isHeldUp = false;

  constructor(parts: TurnQueueParts) {
    this.#parts = parts;
  }

  get prompts(): readonly QueuedPrompt[] {
    return this.#turns.map(toQueued);
  }

  get length(): number {
    return this.#turns.length;
  }

  /** Whether the next one could run, but for the turns of other sessions. */
  get isHeldUp(): boolean {
    return this.#isHeldUp;
  }

  /** The front only where the next turn can start and nobody waits; none when as many wait as may. */
  promise({ canStart }: { readonly canStart: boolean }): Place | undefined {
    const isFirst = !this.#isAtWork && !this.#isFrontPromised && this.#turns.length === 0;
    if (canStart && isFirst && this.#parts.places.tryTake()) {
      this.#isFrontPromised = true;
      return 'front';
    }
    if (this.#turns.length + this.#promisedBehind >= this.#parts.most) return undefined;
    this.#promisedBehind += 1;
    return 'behind';
  }

  /** The promised turn does not come. Resolves when what waits has run, or at once when that is being done already. */
  async forgo(place: Place): Promise<void> {
    this.#takeBack(place);
    if (place === 'front') this.#parts.places.giveBack();
    await this.#work();
  }

  /** A turn that was admitted as running is the next. Resolves like `forgo`. */
  async add(turn: Turn, place?: Place): Promise<void> {
    if (place) this.#takeBack(place);
    if (turn.status === 'running') this.#turns.unshift(turn);
    else this.#turns.push(turn);
    await this.#work(place === 'front');
  }

  /** False when it does not wait. */
  remove(turnId: TurnId): boolean {
    const before = this.#turns.length;
    this.#turns = this.#turns.filter((turn) => turn.id !== turnId);
    return this.#turns.length < before;
  }

  /** Turns that are not named keep their order behind those that are. Returns the order of all. */
  reorder(order: readonly TurnId[]): readonly TurnId[] {
    const rank = new Map(order.map((id, index) => [id, index]));
    const place = (turn: Turn) => rank.get(turn.id) ?? order.length;
    this.#turns.sort((a, b) => place(a) - place(b));
    return this.#turns.map((turn) => turn.id);
  }

  /** Forgets what waits. */
  close(): void {
    this.#turns = [];
    this.#closing.abort();
  }

  /** Runs one turn after the other; nothing when that is being done already. */
  async #work(hasPlace = false): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    const { places, run } = this.#parts;
    let isPlaced = hasPlace;
    try {
      while (this.#hasNext && (isPlaced || places.tryTake() || (await this.#waitForPlace()))) {
        try {
          // While it waited for its place it may have been taken back.
          const turn = this.#turns.shift();
          if (turn) await run(turn);
        } finally {
          places.giveBack();
          isPlaced = false;
        }
      }
    } finally {
      this.#isAtWork = false;
    }
  }

  /** False when the queue is closed first. */
  async #waitForPlace(): Promise<boolean> {
    this.#isHeldUp = true;
    this.#parts.onHeldUp();
    const isPlaced = await this.#parts.places.take(this.#closing.signal);
    this.#isHeldUp = false;
    return isPlaced;
  }

  get #hasNext(): boolean {
    return !this.#isFrontPromised && this.#turns.length > 0;
  }

  #takeBack(place: Place): void {
    if (place === 'front') this.#isFrontPromised = false;
    else this.#promisedBehind -= 1;
  }
}

export function toQueued({ id, prompt, queuedAt }: Turn): QueuedPrompt {
  return { turnId: id, prompt, queuedAt };
}
