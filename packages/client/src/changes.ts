// What a session changed in its working directory, as plain functions over HTTP.
import type {
  BranchList,
  ChangedFile,
  ChangeList,
  ChangesSince,
  FileDiff,
  SessionId,
} from '@parley/protocol';
import type { Http } from './http.ts';
import { queryString } from './query-string.ts';

export interface Changes {
  list(since: ChangesSince, signal?: AbortSignal): Promise<ChangeList>;
  /** The changed lines of a listed file. */
  diff(
    file: Pick<ChangedFile, 'path' | 'from'>,
    states: Pick<ChangeList, 'base' | 'now'>,
    signal?: AbortSignal,
  ): Promise<FileDiff>;
  /** Returns the changes since the last commit, like `discard`. */
  stage(paths: readonly string[], staged: boolean): Promise<ChangeList>;
  commit(message: string): Promise<{ readonly commit: string }>;
  /** New files are deleted. */
  discard(paths: readonly string[]): Promise<ChangeList>;
  branches(signal?: AbortSignal): Promise<BranchList>;
  /** Fails with ApiError `conflict` if there are uncommitted changes. */
  switchBranch(name: string, options?: { readonly create?: boolean }): Promise<BranchList>;
  /** Pulls from the remote of the branch, or pushes to it. */
  sync(how: 'pull' | 'push'): Promise<BranchList>;
  /** Makes a working tree on a new branch; returns its folder, for a new session. */
  startWorktree(branch: string): Promise<{ readonly path: string }>;
  finishWorktree(how: 'merge' | 'remove'): Promise<void>;
}

export function sessionChanges(http: Http, session: SessionId): Changes {
  const base = `/api/claude/sessions/${encodeURIComponent(session)}/changes`;
  return {
    list: (since, signal) => http.get(base + queryString({ since }), signal),
    diff: ({ path, from }, { base: before, now }, signal) =>
      http.get(`${base}/file${queryString({ path, from, base: before, now })}`, signal),
    stage: (paths, staged) => http.send('PUT', `${base}/staged`, { paths, staged }),
    commit: (message) => http.send('POST', `${base}/commits`, { message }),
    discard: (paths) => http.send('POST', `${base}/discard`, { paths }),
    branches: (signal) => http.get(`${base}/branches`, signal),
    switchBranch: (name, { create = false } = {}) => http.send('PUT', `${base}/branch`, { name, create }),
    sync: (how) => http.send('POST', `${base}/remote/${how}`, {}),
    startWorktree: (name) => http.send('POST', `${base}/worktrees`, { name }),
    finishWorktree: (how) => http.send('POST', `${base}/worktree`, { how }),
  };
}
