// The git state of a folder: the branch, read from HEAD, and whether there are uncommitted changes, if git is installed
// and answers quickly.
import { join } from 'node:path';
import type { GitState } from '../../domain/work-folders.ts';
import { gitFolderOf, readSmall } from '../../folders/git-folder.ts';
import { runGit } from '../../folders/run-git.ts';

const gitMs = 1_500;

/** Undefined if the folder is not the root of a working tree. */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const gitFolder = await gitFolderOf(folder);
  if (gitFolder === undefined) return undefined;
  const head = await readSmall(join(gitFolder, 'HEAD'));
  if (head === undefined) return undefined;
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  return { branch, isDirty: await isDirty(folder) };
}

/**
 * A folder's configuration can make git run programs. `runGit` disables the usual ways. Filters, which git applies to
 * compare files, can't be disabled, so a folder with one is not inspected.
 */
async function isDirty(folder: string): Promise<boolean | undefined> {
  const filters = await git(folder, ['config', '--includes', '--name-only', '--get-regexp', '^filter\\.']);
  if (filters.exitCode !== notFound) return undefined;
  const { output, exitCode } = await git(folder, [
    'status',
    '--porcelain',
    '--untracked-files=normal',
    '--ignore-submodules',
  ]);
  // Output that was cut at the size limit still means changes.
  if (output.length > 0) return true;
  return exitCode === 0 ? false : undefined;
}

/** The exit code of `git config` for a name that is not set. */
const notFound = 1;

interface GitAnswer {
  readonly output: Buffer;
  /** Null if git could not be started or did not finish. */
  readonly exitCode: number | null;
}

function git(folder: string, args: readonly string[]): Promise<GitAnswer> {
  return runGit({ args, cwd: folder, timeoutMs: gitMs, maxBytes: 64 * 1024 }).catch(() => ({
    output: Buffer.alloc(0),
    exitCode: null,
  }));
}
