// Lists branches and switches between them. Replaces files with our own git configuration, so that no filter or hook runs.
import { basename, dirname } from 'node:path';
import { type BranchList, ParleyError } from '@parley/protocol';
import { type Author, authorVariables, moveHead } from './change-files.ts';
import { listChanges } from './change-list.ts';
import type { PrivateGit } from './private-git.ts';
import { unfinishedIn } from './repository.ts';

const maxBranches = 500;

export async function listBranches(
  git: PrivateGit,
  signal?: AbortSignal,
): Promise<Omit<BranchList, 'remote'>> {
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
    worktreeOf: isLinked ? dirname(common) : null,
  };
}

/** `conflict` if tracked files have changes, or if the branch is checked out elsewhere. */
export async function switchBranch(
  git: PrivateGit,
  name: string,
  create: boolean,
  author: Author,
): Promise<void> {
  const ref = await branchRef(git, name);
  const found = await git.runOnRefs([
    'for-each-ref',
    '--format=%(refname)%00%(objectname)%00%(worktreepath)',
    ref,
  ]);
  const [known = '', commit = '', checkedOut = ''] = found.output.toString().trimEnd().split('\0');
  if (create) {
    if (known === ref) throw taken(name);
    if (git.head === undefined) throw noCommit;
    await git.runOnRefs(['update-ref', '--create-reflog', ref, git.head, '0'.repeat(git.head.length)], {
      variables: authorVariables(author),
    });
  } else {
    if (known !== ref) throw new ParleyError('not_found', `There is no branch "${name}".`);
    if (checkedOut !== '' && checkedOut !== git.repository.top)
      throw new ParleyError('conflict', `The branch "${name}" is checked out in another working tree.`);
    await refuseChanges(git);
    await replaceFiles(git, commit);
  }
  const from = (await git.branch()) ?? git.head ?? '';
  await git.runOnRefs(['symbolic-ref', '-m', `checkout: moving from ${from} to ${name}`, 'HEAD', ref], {
    variables: authorVariables(author),
  });
}

/** Fast-forwards the branch that is checked out to a commit that contains it. */
export async function moveForward(git: PrivateGit, to: string, why: string, author: Author): Promise<void> {
  await refuseChanges(git);
  await replaceFiles(git, to);
  await moveHead(git, to, why, author);
}

/** The full name of a branch. `invalid` if git would not accept it. */
export async function branchRef(git: PrivateGit, name: string): Promise<string> {
  const ref = `refs/heads/${name}`;
  const { exitCode } = await git.runOnContent(['check-ref-format', ref], { okExitCodes: [1] });
  if (exitCode !== 0 || name.startsWith('-'))
    throw new ParleyError('invalid', `"${name}" cannot be the name of a branch.`);
  return ref;
}

export async function isAncestor(git: PrivateGit, older: string, newer: string): Promise<boolean> {
  return (
    (await git.runOnContent(['merge-base', '--is-ancestor', older, newer], { okExitCodes: [1] })).exitCode ===
    0
  );
}

/** Untracked files may stay unless `alsoNew` is set: git refuses to switch if one is in the way. */
export async function refuseChanges(git: PrivateGit, alsoNew = false): Promise<void> {
  if (unfinishedIn(git.repository) !== null) throw uncommitted;
  const { files } = await listChanges(git, {
    since: 'head',
    base: undefined,
    isVisible: () => true,
    signal: new AbortController().signal,
  });
  if (files.some(({ kind, staged }) => alsoNew || kind !== 'added' || staged !== 'no')) throw uncommitted;
}

async function replaceFiles(git: PrivateGit, to: string): Promise<void> {
  const { head } = git;
  if (head === to) return;
  const writes = 'repository';
  // Otherwise git treats a file as changed if only its time differs.
  await git.runOnContent(['update-index', '-q', '--refresh'], { writes, okExitCodes: [1] });
  const trees = head === undefined ? [to] : [head, to];
  const { exitCode, errors } = await git.runOnContent(['read-tree', '-m', '-u', ...trees], {
    writes,
    okExitCodes: [1, 128],
    timeoutMs: 120_000,
  });
  if (exitCode !== 0)
    throw new ParleyError(
      'conflict',
      'New files that git does not know yet are in the way. Commit or move them first.',
      { cause: new Error(errors) },
    );
}

function taken(name: string): ParleyError {
  return new ParleyError('conflict', `The branch "${name}" already exists.`);
}

const uncommitted = new ParleyError(
  'conflict',
  'There are uncommitted changes. Commit or discard them first.',
);
const noCommit = new ParleyError('conflict', 'There is no commit yet to start a branch from.');
