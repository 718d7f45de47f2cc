// Gives sessions working trees of their own, next to the repository and on their own branches. Later, merges the
// branch into what the repository has checked out, or removes the working tree.
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { branchRef, isAncestor, moveForward, refuseChanges } from './branches.ts';
import { type Author, authorVariables, writeCommit } from './change-files.ts';
import { PrivateGit } from './private-git.ts';
import { findRepository } from './repository.ts';

export interface WorktreeRules {
  /** Whether the person may work in a folder. */
  readonly isAllowed: (path: string) => Promise<boolean>;
  readonly author: Author;
  /** A git folder of ours for the other working tree. */
  readonly otherFolder: string;
  /** Rejects while a turn works in a working tree, whose files must not be replaced then. */
  readonly requireIdle: (git: PrivateGit) => Promise<void>;
}

/** Returns the folder of the new working tree. */
export async function startWorktree(
  git: PrivateGit,
  branch: string,
  { isAllowed, author, otherFolder }: WorktreeRules,
): Promise<string> {
  await branchRef(git, branch);
  const { head, repository } = git;
  if (head === undefined) throw noCommit;
  const { top, common } = repository;
  const path = `${top}-${branch.replaceAll(/[^\w.-]+/g, '-')}`;
  if (!(await isAllowed(dirname(path)))) throw noRoom;
  if (await lstat(path).catch(() => undefined))
    throw new ParleyError('conflict', `The folder "${path}" already exists. Choose another name.`);
  const added = await git.runOnRefs(
    ['worktree', 'add', '--quiet', '--no-checkout', '-b', branch, '--', path, head],
    {
      variables: authorVariables(author),
      okExitCodes: [128, 255],
    },
  );
  if (added.exitCode !== 0)
    throw new ParleyError(
      'conflict',
      `The branch "${branch}" already exists, or git could not create the folder.`,
      {
        cause: new Error(added.errors),
      },
    );
  try {
    const made = await findRepository(path, isAllowed);
    if (!made || made.common !== common) throw noRoom;
    const other = await PrivateGit.open(otherFolder, made);
    await other.runOnContent(['read-tree', '--reset', '-u', head], {
      writes: 'repository',
      timeoutMs: 120_000,
    });
    return path;
  } catch (error) {
    // Otherwise another attempt would find the folder and the branch.
    await git.runOnRefs(['worktree', 'remove', '--force', '--', path]);
    await git.runOnRefs(['update-ref', '-d', `refs/heads/${branch}`, head]);
    throw error;
  }
}

/** Merges the branch of a working tree into what its repository has checked out. */
export async function mergeWorktree(git: PrivateGit, rules: WorktreeRules): Promise<void> {
  const { head } = git;
  const main = await mainOf(git, rules);
  await rules.requireIdle(main);
  await refuseChanges(git, true);
  if (head === undefined || main.head === undefined) throw noCommit;
  if (await isAncestor(main, head, main.head)) return;
  const branch = (await git.branch()) ?? head;
  if (await isAncestor(main, main.head, head)) {
    await moveForward(main, head, `merge ${branch}: Fast-forward`, rules.author);
    return;
  }
  await refuseChanges(main);
  const merged = await main.runOnContent(
    ['merge-tree', '--write-tree', '--name-only', '-z', main.head, head],
    {
      writes: 'repository',
      okExitCodes: [1],
    },
  );
  const [tree = '', ...rest] = merged.output.toString().split('\0');
  if (merged.exitCode === 1) {
    const names = rest.slice(0, Math.max(0, Math.min(5, rest.indexOf('')))).join(', ');
    throw new ParleyError(
      'conflict',
      `Both sides changed the same lines: ${names}. Ask Claude to merge them.`,
    );
  }
  const message = `Merge branch '${branch}'`;
  const parents = [main.head, head];
  const commit = await writeCommit(main, { tree: tree.trim(), parents, message, author: rules.author });
  await moveForward(main, commit, `merge ${branch}`, rules.author);
}

/** `conflict` if something in it is not committed. Also deletes its branch if that is merged. */
export async function removeWorktree(git: PrivateGit, rules: WorktreeRules): Promise<void> {
  const main = await mainOf(git, rules);
  await refuseChanges(git, true);
  const branch = await git.branch();
  await main.runOnRefs(['worktree', 'remove', '--force', '--', git.repository.top]);
  const isMerged =
    git.head !== undefined && main.head !== undefined && (await isAncestor(main, git.head, main.head));
  if (branch !== null && isMerged)
    await main.runOnRefs(['update-ref', '-d', `refs/heads/${branch}`, git.head]);
}

/** The main working tree of the repository. */
async function mainOf(
  { repository }: PrivateGit,
  { isAllowed, otherFolder }: WorktreeRules,
): Promise<PrivateGit> {
  const { common, gitFolder } = repository;
  if (gitFolder === common || basename(common) !== '.git') throw notLinked;
  const main = await findRepository(dirname(common), isAllowed);
  if (main?.gitFolder !== common) throw notLinked;
  const git = await PrivateGit.open(otherFolder, main);
  // Each has to name the other, because anybody can write a file that names a repository.
  const { output } = await git.runOnRefs(['worktree', 'list', '--porcelain', '-z']);
  if (!output.toString().split('\0').includes(`worktree ${repository.top}`)) throw notLinked;
  return git;
}

const noCommit = new ParleyError('conflict', 'There is no commit yet to start from.');
const noRoom = new ParleyError(
  'forbidden',
  'The new working tree would be outside of the work folders: the repository is a work folder itself.',
);
const notLinked = new ParleyError('invalid', 'This folder is not a working tree of another repository.');
