// Stages, commits and discards. The index and the objects are those of the repository, the configuration is ours.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { readSmall } from '../folders/git-folder.ts';
import { splitNames } from './parse-diff.ts';
import type { PrivateGit } from './private-git.ts';
import { unfinishedIn } from './repository.ts';

const writes = 'repository';

export async function stageFiles(git: PrivateGit, paths: readonly string[]): Promise<void> {
  await refuseFiltered(git, paths);
  await git.runOnContent(['update-index', '-z', '--add', '--remove', '--stdin'], {
    input: listed(paths),
    writes,
  });
}

export async function unstageFiles(git: PrivateGit, paths: readonly string[]): Promise<void> {
  const args = ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'];
  await git.runOnContent(args, { input: listed(paths), writes });
}

export async function discardFiles(git: PrivateGit, paths: readonly string[]): Promise<void> {
  const { head } = git;
  const committed = head
    ? await git.runOnContent(['ls-tree', '-z', '--name-only', '-r', head, '--', ...paths])
    : undefined;
  const kept = new Set(committed && splitNames(committed.output).map(String));
  const restored = paths.filter((path) => kept.has(path));
  const added = paths.filter((path) => !kept.has(path));
  await refuseFiltered(git, restored);
  if (restored.length > 0) {
    const args = ['checkout', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul', 'HEAD'];
    await git.runOnContent(args, { input: listed(restored), writes });
  }
  if (added.length === 0) return;
  await git.runOnContent(['update-index', '-z', '--force-remove', '--stdin'], {
    input: listed(added),
    writes,
  });
  await git.runOnContent(['clean', '--quiet', '--force', '--', ...added]);
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** Returns the id of the new commit. */
export async function commitStaged(git: PrivateGit, message: string, author: Author): Promise<string> {
  const { head, repository } = git;
  const unfinished = unfinishedIn(repository);
  if (unfinished !== null && unfinished !== 'merge') throw inTheMiddle;
  const written = await git.runOnContent(['write-tree', '--missing-ok'], { writes, okExitCodes: [128] });
  if (written.exitCode !== 0) throw hasConflicts;
  const tree = written.output.toString().trim();
  const merged = unfinished === 'merge' ? await mergedInto(repository.gitFolder) : [];
  if (merged.length === 0 && tree === (await treeOf(git, head))) throw nothingStaged;
  const parents = [...(head === undefined ? [] : [head]), ...merged];
  const commit = await writeCommit(git, { tree, parents, message, author });
  await moveHead(git, commit, `commit: ${message.split('\n', 1)[0]}`, author);
  if (unfinished === 'merge') {
    for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE'])
      await rm(join(repository.gitFolder, name), { force: true });
  }
  return commit;
}

export async function writeCommit(
  git: PrivateGit,
  commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly author: Author;
  },
): Promise<string> {
  const { tree, parents, message, author } = commit;
  const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree];
  const input = `${message.trim()}\n`;
  return (await git.runOnContent(args, { input, writes, variables: authorVariables(author) })).output
    .toString()
    .trim();
}

/** Fails if HEAD has moved in the meantime. */
export async function moveHead(git: PrivateGit, to: string, why: string, author: Author): Promise<void> {
  const from = git.head ?? '0'.repeat(to.length);
  await git.runOnRefs(['update-ref', '--create-reflog', '-m', why, 'HEAD', to, from], {
    variables: authorVariables(author),
  });
}

export function authorVariables({ name, email }: Author): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

async function treeOf(git: PrivateGit, commit: string | undefined): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  return (await git.runOnContent(['rev-parse', '--verify', `${commit}^{tree}`])).output.toString().trim();
}

async function mergedInto(gitFolder: string): Promise<readonly string[]> {
  const text = (await readSmall(join(gitFolder, 'MERGE_HEAD'))) ?? '';
  return text.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

/** Git stores these files through a filter (Git LFS, for example). That is a program, which we don't run. */
async function refuseFiltered(git: PrivateGit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { output } = await git.runOnContent(['check-attr', '-z', '--stdin', 'filter'], {
    input: listed(paths),
  });
  const fields = splitNames(output).map(String);
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , filter = ''] = fields.slice(at, at + 3);
    if (['unspecified', 'unset', ''].includes(filter)) continue;
    throw new ParleyError(
      'invalid',
      `"${path}" goes through the filter "${filter}", a program that Parley does not run. Do this in a terminal.`,
    );
  }
}

function listed(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}

const inTheMiddle = new ParleyError(
  'conflict',
  'Git is in the middle of a rebase, cherry-pick or revert. Finish it in a terminal, or ask Claude to.',
);
const hasConflicts = new ParleyError(
  'conflict',
  'Some files still have conflicts. Resolve them and include them first.',
);
const nothingStaged = new ParleyError('conflict', 'Nothing is selected for the commit.');
