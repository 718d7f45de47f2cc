// The moment from which a prompt cannot be taken back, kept durably before it comes. A turn that a crash finds before
// it runs again; after it, the turn was interrupted.
import type { Turn } from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { Store } from '../domain/store.ts';

export class Beginning {
  readonly #turn: Turn;
  readonly #parts: { readonly store: Pick<Store, 'updateTurn'>; readonly clock: Clock };
  #begun: Promise<void> | undefined;

  constructor(turn: Turn, parts: { readonly store: Pick<Store, 'updateTurn'>; readonly clock: Clock }) {
    this.#turn = turn;
    this.#parts = parts;
    if (turn.status === 'running') this.#begun = Promise.resolve();
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Once is enough. Rejects when the store refuses it. */
  begin(): Promise<void> {
    const { store, clock } = this.#parts;
    this.#begun ??= store.updateTurn(this.#turn.id, { status: 'running', startedAt: clock.now() });
    return this.#begun;
  }
}
