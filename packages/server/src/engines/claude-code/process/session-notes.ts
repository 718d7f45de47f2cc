// What is remembered about a session whose process ended: how it went, and what the next one needs. Bounded; what is
// forgotten can be read from the transcript again.
import type { PermissionMode } from '@parley/claude-cli';
import type { SessionId, TurnEvent } from '@parley/protocol';
import { BoundedMap } from '../../../basics/bounded-map.ts';

export interface SessionNote {
  /** The last process failed. */
  readonly failed?: boolean | undefined;
  /** The mode that the program changed to by itself, and the chosen one that it replaced. */
  readonly mode?:
    | { readonly chosen: PermissionMode | undefined; readonly actual: PermissionMode }
    | undefined;
  readonly spentUsd?: number | undefined;
  /** Gets what happens outside of turns. */
  readonly publish?: ((event: TurnEvent) => void) | undefined;
}

const mostNotes = 500;

export class SessionNotes {
  readonly #notes = new BoundedMap<SessionId, SessionNote>(mostNotes);

  of(id: SessionId): SessionNote {
    return this.#notes.get(id) ?? {};
  }

  get failed(): readonly SessionId[] {
    return [...this.#notes.entries()].filter(([, note]) => note.failed === true).map(([id]) => id);
  }

  /** Adds to what is known of a session. */
  add(id: SessionId, note: SessionNote): void {
    this.#notes.set(id, { ...this.#notes.get(id), ...note });
  }

  forget(id: SessionId): void {
    this.#notes.delete(id);
  }
}
