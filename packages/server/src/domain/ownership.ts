// Who runs a session's turns. With one server that is this server. With several, each session has one owner at a time,
// and the database refuses whatever an earlier owner still writes.
import { ParleyError, type Session, type SessionId } from '@parley/protocol';
import type { Store } from './store.ts';

/** The time during which this server owns a session. Everything it writes for the session is written under it. */
export interface Tenure {
  readonly session: SessionId;
  /** Greater than that of every earlier owner of the session. */
  readonly epoch: number;
  /** Whether this server no longer owns the session, or can't be sure that it does. Work for the session stops then. */
  readonly isOver: boolean;
  /** Calls back when it ends; not if it is over already. Call the returned function to stop that. */
  onOver(callback: () => void): () => void;
}

export interface Claim {
  readonly tenure: Tenure;
  /**
   * `continued`: this server owned it already. `free`: nobody owned it, but prompts may wait in it. `abandoned`: its last
   * owner stopped without handing it over, maybe in the middle of a turn.
   */
  readonly start: 'continued' | 'free' | 'abandoned';
}

export interface Ownership {
  /** Rejects with `OwnedElsewhere` if another server owns the session. */
  claim(session: Pick<Session, 'id' | 'engine'>): Promise<Claim>;
  /** Nobody uses the session here now, so another server may claim it. */
  release(tenure: Tenure): void;
  /** What the claim was for has failed, so the next claim reports the session as abandoned again. */
  drop(tenure: Tenure): void;
  /** The session was deleted: no server owns it any more. */
  revoke(id: SessionId): Promise<void>;
  /** The store for what owners write. If one of the tenures is over, a write fails as a whole, with `moved`. */
  under(tenures: readonly Tenure[]): Store;
  /** Sessions with prompts that wait or were being answered, which no running server owns. */
  abandoned(): Promise<readonly SessionId[]>;
}

/** Rejects with `moved` if a tenure of the store is over: that fails even a write without any changes. */
export function confirmOwnership(owned: Pick<Store, 'together'>): Promise<void> {
  return owned.together(() => undefined);
}

/** Another Parley process, and where to reach it. */
export interface OtherServer {
  readonly id: string;
  readonly url: string;
}

/** The session belongs to another server, which can do what was asked. */
export class OwnedElsewhere extends ParleyError {
  readonly owner: OtherServer;

  constructor(owner: OtherServer) {
    super('moved', 'This session is on another server. Try again in a moment.');
    this.owner = owner;
  }
}

/** What this server did for the session no longer counts, because it doesn't own it any more. */
export function movedAway(): ParleyError {
  return new ParleyError('moved', 'This session has moved to another server. Try again in a moment.');
}

export const serverDistrustsUs = new ParleyError(
  'unavailable',
  'The server that has this session does not accept requests from this one. Set the same PARLEY_CLUSTER_SECRET on all servers, and check their clocks.',
);

export function hasMoved(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'moved';
}

/** A single server owns every session for as long as it runs. */
export function soleOwner(store: Store): Ownership {
  let leftBehind: Promise<Set<SessionId>> | undefined;
  // Read before the first session is claimed, so these are from an earlier run, whoever asks first.
  const fromEarlierRun = () => {
    leftBehind ??= sessionsWithWork(store).catch((error: unknown) => {
      leftBehind = undefined;
      throw error;
    });
    return leftBehind;
  };
  return {
    claim: async ({ id }) => ({
      tenure: { session: id, epoch: 0, isOver: false, onOver: () => () => undefined },
      start: (await fromEarlierRun()).delete(id) ? 'abandoned' : 'continued',
    }),
    release: () => undefined,
    drop: ({ session }) =>
      void leftBehind?.then(
        (ids) => ids.add(session),
        () => undefined,
      ),
    revoke: async () => undefined,
    under: () => store,
    abandoned: async () => [...(await fromEarlierRun())],
  };
}

async function sessionsWithWork(store: Store): Promise<Set<SessionId>> {
  return new Set((await store.unfinishedTurns()).map((turn) => turn.sessionId));
}
