// What git says of a folder: its branch from the file, whether something is uncommitted from git itself, if it is
// there and quick. No shell.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { GitState } from '../../domain/work-folders.ts';

const gitMs = 1_500;

/** Undefined where the folder is not the root of a working tree. */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const gitFolder = await gitFolderOf(folder);
  if (gitFolder === undefined) return undefined;
  const head = await readFile(join(gitFolder, 'HEAD'), 'utf8').catch(() => undefined);
  if (head === undefined) return undefined;
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head.slice(0, 1_024))?.[1];
  return { branch, isDirty: await isDirty(folder) };
}

/** Linked working trees and submodules have a file there that names the folder. */
async function gitFolderOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return path;
  const text = await readFile(path, 'utf8').catch(() => '');
  const named = /^gitdir: (.+)$/m.exec(text.slice(0, 4_096))?.[1];
  return named === undefined ? undefined : resolve(folder, named);
}

/** A folder may bring a configuration that makes git run programs: the usual ways of that are shut. */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-optional-locks'];

function isDirty(folder: string): Promise<boolean | undefined> {
  const args = [
    ...harmless,
    '-C',
    folder,
    'status',
    '--porcelain',
    '--untracked-files=normal',
    '--ignore-submodules',
  ];
  return new Promise((resolve) => {
    execFile(
      'git',
      args,
      { timeout: gitMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024, windowsHide: true, env: gitVariables },
      (error, stdout) => {
        // More changes than the buffer holds are changes all the same.
        if (stdout.length > 0) resolve(true);
        else resolve(error ? undefined : false);
      },
    );
  });
}

const gitVariables = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};
