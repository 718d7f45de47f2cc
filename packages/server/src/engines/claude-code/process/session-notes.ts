// Remembers how the last process of a session ended, and what the next one needs. Bounded: without a note, the cost is
// read from the transcript, and the program asks again for what a person had allowed.
import type { PermissionMode } from '@parley/claude-cli';
import type { PermissionRule, SessionId, TurnEvent } from '@parley/protocol';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { SessionProcess } from './session-process.ts';

export interface SessionNote {
  /** The last process failed. */
  readonly failed?: boolean | undefined;
  /** The mode that the program switched to, and the chosen one that it replaced. */
  readonly mode?:
    | { readonly chosen: PermissionMode | undefined; readonly actual: PermissionMode }
    | undefined;
  readonly spentUsd?: number | undefined;
  /** What a person has allowed for the session: the program forgets it when it ends. */
  readonly rules?: readonly PermissionRule[] | undefined;
  /** The untrusted configuration that the notice was shown for. */
  readonly shownUntrusted?: string | undefined;
  /** The version of the transcript that the program refused to resume. */
  readonly refused?: string | undefined;
  /** Gets what happens outside of turns. */
  readonly publish?: ((event: TurnEvent) => void) | undefined;
}

const maxNotes = 500;

export class SessionNotes {
  readonly #notes = new BoundedMap<SessionId, SessionNote>(maxNotes);

  of(id: SessionId): SessionNote {
    return this.#notes.get(id) ?? {};
  }

  get failed(): readonly SessionId[] {
    return [...this.#notes.entries()].filter(([, note]) => note.failed === true).map(([id]) => id);
  }

  /** Adds to what is known about a session. */
  add(id: SessionId, note: SessionNote): void {
    this.#notes.set(id, { ...this.#notes.get(id), ...note });
  }

  /** The mode to start in: the one that the program had switched to, unless somebody has chosen another since. */
  modeFor(id: SessionId, chosen: PermissionMode | undefined): PermissionMode | undefined {
    const { mode } = this.of(id);
    return mode?.chosen === chosen ? (mode?.actual ?? chosen) : chosen;
  }

  /** What the next process of the session needs to know about this one. */
  processEnded(id: SessionId, { awake, isStarted }: SessionProcess, error: Error | undefined): void {
    const { permissionMode: actual, settings, totalCostUsd, rules } = awake;
    const chosen = settings.permissionMode;
    this.add(id, {
      failed: error !== undefined,
      rules,
      ...(isStarted && { spentUsd: totalCostUsd }),
      ...(actual !== undefined && actual !== chosen && { mode: { chosen, actual } }),
    });
  }

  forget(id: SessionId): void {
    this.#notes.delete(id);
  }
}
