// One session's slot. All sessions with the same engine share a number of slots, and a turn needs one to work. While a
// person has to decide something, others use the slot; the turn continues when it gets one again.
import type { PersonName } from '@parley/protocol';
import type { TurnSlots } from '../domain/engine.ts';

export interface SharedSlots {
  readonly slots: TurnSlots;
  /** Turns that lent out their slot, the earliest first. Calling the function ends the turn's questions. */
  readonly asking: Map<TurnSlot, () => void>;
}

export class TurnSlot {
  readonly #shared: SharedSlots;
  /** Slots are shared fairly between people. */
  readonly #person: PersonName;
  #isHeld = false;
  #questions = 0;
  /** Aborts when the turn is over. Only a turn that asks needs it. */
  #use: AbortController | undefined;

  constructor(shared: SharedSlots, person: PersonName) {
    this.#shared = shared;
    this.#person = person;
  }

  /** False when none is free. */
  tryTake(): boolean {
    if (!this.#shared.slots.tryTake(this.#person)) return false;
    this.#isHeld = true;
    return true;
  }

  /** False when the signal aborts first. */
  async take(signal: AbortSignal, onAhead: (ahead: number) => void): Promise<boolean> {
    if (!(await this.#shared.slots.take({ group: this.#person, signal, onAhead }))) return false;
    this.#isHeld = true;
    return true;
  }

  /** The turn is over. */
  release(): void {
    this.#use?.abort();
    this.#use = undefined;
    this.#giveBack();
  }

  /**
   * Lends the slot until somebody has answered. Only as many turns as there are slots may wait like this: beyond that,
   * `giveUp` is called for the one that has waited longest.
   */
  async lendWhile<T>(asking: Promise<T>, giveUp: () => void, turn: AbortSignal): Promise<T> {
    const { slots, asking: all } = this.#shared;
    this.#use ??= new AbortController();
    const { signal } = this.#use;
    this.#questions += 1;
    this.#giveBack();
    if (!all.has(this)) all.set(this, giveUp);
    const [longest] = all.values();
    if (all.size > slots.count) longest?.();
    try {
      return await asking;
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) {
        all.delete(this);
        await this.#takeBack(AbortSignal.any([turn, signal]));
      }
    }
  }

  async #takeBack(signal: AbortSignal): Promise<void> {
    const { slots } = this.#shared;
    if (!(await slots.take({ group: this.#person, signal, isReturning: true }))) return;
    this.#isHeld = true;
    // The turn may be over by now, or ask again.
    if (signal.aborted || this.#questions > 0) this.#giveBack();
  }

  #giveBack(): void {
    if (this.#isHeld) this.#shared.slots.release(this.#person);
    this.#isHeld = false;
  }
}
