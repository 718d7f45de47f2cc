// The port for branches: sessions that begin like another one.
import type { Session, SessionId, Turn, TurnId } from '@parley/protocol';
import type { Branch } from './branches.ts';

export interface BranchStore {
  /** The branches of the session's family, in the order in which they were made. */
  list(id: SessionId): Promise<readonly Branch[]>;
  /** The turns that ended before this one, or all that have ended, oldest first. `not_found` if the session has no such turn. */
  turnsBefore(id: SessionId, turn: TurnId | undefined): Promise<readonly Pick<Turn, 'id' | 'origin'>[]>;
  /** The fork with this id, unless a crash or a failure has left it incomplete. */
  findFork(id: SessionId): Promise<Session | undefined>;
  /**
   * Creates a session that begins like another one, with a copy of these turns of `from`. Lists leave out a branch until
   * its first prompt, and from then on they leave out the rest of its family. Without `branch` it is a fork: a session
   * of its own, and replaces a fork with the same id that was not completed. Durable.
   */
  create(
    session: Session,
    branch: Omit<Branch, 'sessionId'> | undefined,
    copied?: { readonly from: SessionId; readonly turns: readonly TurnId[] },
  ): Promise<void>;
}
