// The branches of a repository, and how the one that is checked out compares with its remote.
import { basename, dirname } from 'node:path';
import type { BranchList } from '@parley/protocol';
import type { PrivateGit } from './private-git.ts';
import { remoteState } from './remotes.ts';

const maxBranches = 500;

export async function listBranches(git: PrivateGit, signal?: AbortSignal): Promise<BranchList> {
  const current = await git.branch(signal);
  const { output } = await git.runOnRefs(
    ['for-each-ref', '--format=%(refname)', '--sort=-committerdate', `--count=${maxBranches}`, 'refs/heads'],
    { signal },
  );
  const names = output.toString().split('\n').filter(Boolean);
  const { gitFolder, common } = git.repository;
  const isLinked = gitFolder !== common && basename(common) === '.git';
  return {
    current,
    branches: names.map((name) => name.slice('refs/heads/'.length)),
    remote: current === null ? null : await remoteState(git, current, signal),
    worktreeOf: isLinked ? dirname(common) : null,
  };
}
