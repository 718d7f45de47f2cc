// Sessions in which a terminal runs the program instead of turns. Each takes a slot, like a turn.
import type { Sentence, Session, SessionId } from '@parley/protocol';
import type { TurnSlots } from '../../../domain/engine.ts';
import { allBusy, inTerminal } from './failures.ts';

export interface Occupant {
  end(reason: Sentence): Promise<void>;
}

export class Occupants {
  readonly #slots: Pick<TurnSlots, 'tryTake' | 'release' | 'count'>;
  readonly #occupants = new Map<SessionId, Occupant>();

  constructor(slots: Pick<TurnSlots, 'tryTake' | 'release' | 'count'>) {
    this.#slots = slots;
  }

  get ids(): readonly SessionId[] {
    return [...this.#occupants.keys()];
  }

  has(id: SessionId): boolean {
    return this.#occupants.has(id);
  }

  /** Occupies the session, then prepares it. Returns a function that leaves it. */
  async add({ id, person }: Session, occupant: Occupant, prepare: () => Promise<void>): Promise<() => void> {
    if (this.has(id)) throw inTerminal();
    if (!this.#slots.tryTake(person)) throw allBusy(this.#slots.count);
    this.#occupants.set(id, occupant);
    const leave = () => {
      if (this.#occupants.get(id) !== occupant) return;
      this.#occupants.delete(id);
      this.#slots.release(person);
    };
    try {
      await prepare();
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async end(id: SessionId, reason: Sentence): Promise<void> {
    await this.#occupants.get(id)?.end(reason);
  }

  async endAll(reason: Sentence): Promise<void> {
    await Promise.all([...this.#occupants.values()].map((occupant) => occupant.end(reason)));
  }
}
