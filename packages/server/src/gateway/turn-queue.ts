// The turns of one session that wait. A prompt that is being admitted has its place promised: the one at the front,
// so that it is admitted as running and whatever comes meanwhile waits behind it, or one of those that may wait.
import type { QueuedPrompt, Turn, TurnId } from '@parley/protocol';

export type Place = 'front' | 'behind';

export class TurnQueue {
  readonly #most: number;
  #turns: Turn[] = [];
  #isFrontPromised = false;
  #promisedBehind = 0;

  /** With how many may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  get prompts(): readonly QueuedPrompt[] {
    return this.#turns.map(({ id, prompt, queuedAt }) => ({ turnId: id, prompt, queuedAt }));
  }

  get length(): number {
    return this.#turns.length;
  }

  /** The front only where the next turn can start and nobody waits; none when as many wait as may. */
  promise({ canStart }: { readonly canStart: boolean }): Place | undefined {
    if (canStart && !this.#isFrontPromised && this.#turns.length === 0) {
      this.#isFrontPromised = true;
      return 'front';
    }
    if (this.#turns.length + this.#promisedBehind >= this.#most) return undefined;
    this.#promisedBehind += 1;
    return 'behind';
  }

  /** Its turn has come, or never will. */
  takeBack(place: Place): void {
    if (place === 'front') this.#isFrontPromised = false;
    else this.#promisedBehind -= 1;
  }

  /** A turn that was admitted as running is the next. */
  add(turn: Turn): void {
    if (turn.status === 'running') this.#turns.unshift(turn);
    else this.#turns.push(turn);
  }

  /** The one whose turn it is; nothing while its place is promised. */
  next(): Turn | undefined {
    return this.#isFrontPromised ? undefined : this.#turns.shift();
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

  clear(): void {
    this.#turns = [];
  }
}
