// The turns of one session that wait. The place at the front can be promised to a prompt that is being admitted, so
// that it is admitted as running; whatever comes meanwhile waits behind it.
import type { QueuedPrompt, Turn, TurnId } from '@parley/protocol';

export class TurnQueue {
  #turns: Turn[] = [];
  #isFrontPromised = false;

  get prompts(): readonly QueuedPrompt[] {
    return this.#turns.map(({ id, prompt, queuedAt }) => ({ turnId: id, prompt, queuedAt }));
  }

  get length(): number {
    return this.#turns.length;
  }

  /** False when somebody waits already. Whoever gets a yes brings the turn, or takes the promise back. */
  promiseFront(): boolean {
    if (this.#isFrontPromised || this.#turns.length > 0) return false;
    this.#isFrontPromised = true;
    return true;
  }

  takePromiseBack(): void {
    this.#isFrontPromised = false;
  }

  /** A turn that is admitted as running has the promised place. */
  add(turn: Turn): void {
    if (turn.status !== 'running') {
      this.#turns.push(turn);
      return;
    }
    this.#isFrontPromised = false;
    this.#turns.unshift(turn);
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
