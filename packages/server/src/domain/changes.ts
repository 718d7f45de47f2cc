// The port for what a session changed in its working directory, compared and recorded with git.
import type {
  BranchList,
  ChangeList,
  ChangesSince,
  FileDiff,
  PersonName,
  SessionId,
  TurnId,
} from '@parley/protocol';
import type { Actor } from './access.ts';

export interface WantedDiff {
  readonly path: string;
  readonly from?: string | undefined;
  /** As listed. */
  readonly base: string;
  readonly now: string;
}

/**
 * Nothing that a repository names is run: no hooks, filters, drivers or helpers. Every call rejects with `not_found` and
 * `forbidden` as for the session; those that change something need somebody who takes part in it. Paths are as listed.
 */
export interface Changes {
  list(actor: Actor, id: SessionId, since: ChangesSince, signal: AbortSignal): Promise<ChangeList>;
  diff(actor: Actor, id: SessionId, wanted: WantedDiff, signal: AbortSignal): Promise<FileDiff>;
  /** Includes files in the next commit, or leaves them out again. `conflict` while another program uses the index. */
  stage(actor: Actor, id: SessionId, paths: readonly string[], isStaged: boolean): Promise<void>;
  /** Commits what is staged. `conflict` if nothing is, or if files still have conflicts. */
  commit(actor: Actor, id: SessionId, message: string): Promise<{ readonly commit: string }>;
  /** Restores files from the last commit; deletes new ones. */
  discard(actor: Actor, id: SessionId, paths: readonly string[]): Promise<void>;

  branches(actor: Actor, id: SessionId, signal: AbortSignal): Promise<BranchList>;
  /** `conflict` while a turn runs, or if changes are not committed. */
  switchBranch(actor: Actor, id: SessionId, name: string, create: boolean): Promise<void>;
  /** Updates the branch from its remote; false if nothing was new. `conflict` if both have commits of their own. */
  pull(actor: Actor, id: SessionId): Promise<boolean>;
  /** `conflict` if the remote has commits that are not here. */
  push(actor: Actor, id: SessionId): Promise<void>;
  /** Makes a working tree on a new branch next to the repository; returns its folder. Only for the owner. */
  startWorktree(actor: Actor, id: SessionId, branch: string): Promise<string>;
  /** Merges the branch of this working tree into its repository, or removes the working tree. Only for the owner. */
  finishWorktree(actor: Actor, id: SessionId, how: 'merge' | 'remove'): Promise<void>;
}

/** Records how a working directory is before a turn changes it. */
export interface TurnSnapshots {
  /** Never rejects: the turn runs even without a snapshot. */
  take(turn: {
    readonly session: SessionId;
    readonly person: PersonName;
    readonly turn: TurnId;
    readonly folder: string;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Call it when the session was deleted. */
  forget(session: SessionId): Promise<void>;
}
