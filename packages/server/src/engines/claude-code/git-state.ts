// The git state of a folder: the branch from the file, uncommitted changes from git itself, if it is installed and quick.
// No shell.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { GitState } from '../../domain/work-folders.ts';

const gitMs = 1_500;
/** Far more than a line with a name needs. */
const largestFile = 4_096;

/** Undefined if the folder is not the root of a working tree. */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const gitFolder = await gitFolderOf(folder);
  if (gitFolder === undefined) return undefined;
  const head = await readSmall(join(gitFolder, 'HEAD'));
  if (head === undefined) return undefined;
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  return { branch, isDirty: await isDirty(folder) };
}

/** Linked working trees and submodules have a file there that names the folder. */
export async function gitFolderOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec((await readSmall(path)) ?? '')?.[1];
  return named === undefined ? undefined : resolve(folder, named);
}

/** Reads small regular files only: reading a pipe could wait forever. */
export async function readSmall(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > largestFile) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

/**
 * A folder may have a configuration that makes git run programs. The usual ways are disabled. Filters, through which git
 * compares files, cannot be disabled: a folder with one is not inspected.
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
  // More changes than the buffer holds are changes all the same.
  if (output.length > 0) return true;
  return exitCode === 0 ? false : undefined;
}

const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-optional-locks'];
/** The exit code of `git config` for a name that is not set. */
const notFound = 1;

interface GitAnswer {
  readonly output: string;
  /** Undefined if git could not be started or did not finish. */
  readonly exitCode: number | undefined;
}

function git(folder: string, command: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve) => {
    execFile(
      'git',
      [...harmless, '-C', folder, ...command],
      { timeout: gitMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024, windowsHide: true, env: gitVariables },
      (error, output) => {
        const code = error ? error.code : 0;
        resolve({ output, exitCode: typeof code === 'number' ? code : undefined });
      },
    );
  });
}

const gitVariables = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  // A partial clone would fetch missing objects with a program of its choice.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};
