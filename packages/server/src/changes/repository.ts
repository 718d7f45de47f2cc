// Finds the git repository of a working directory. All of it has to be where the person may work: a repository around the
// work root doesn't count, and one that leads elsewhere is refused.
import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type ChangeList, ParleyError, type PersonName } from '@parley/protocol';
import type { WorkFolders } from '../domain/work-folders.ts';
import { gitFolderOf, readSmall } from '../folders/git-folder.ts';

export interface Repository {
  /** The working tree. All paths are real paths. */
  readonly top: string;
  /** What belongs to this working tree: HEAD and the index. */
  readonly gitFolder: string;
  /** What all working trees of the repository share: objects, branches, configuration. */
  readonly common: string;
  /** Where the working directory is in the working tree; empty or with a `/` at the end. */
  readonly prefix: string;
}

/** `isAllowed` says whether the person may work in a folder. Undefined if there is no repository that counts. */
export async function findRepository(
  folder: string,
  isAllowed: (path: string) => Promise<boolean>,
): Promise<Repository | undefined> {
  for (let top = folder; await isAllowed(top); top = dirname(top)) {
    const named = await gitFolderOf(top);
    if (named !== undefined) return checked(top, named, folder, isAllowed);
    if (dirname(top) === top) return undefined;
  }
  return undefined;
}

/** The `isAllowed` of a person. */
export function mayWorkIn(
  folders: Pick<WorkFolders, 'check'>,
  person: PersonName,
): (path: string) => Promise<boolean> {
  return async (path) => (await folders.check(person, path).catch(() => undefined)) === path;
}

async function checked(
  top: string,
  named: string,
  folder: string,
  isAllowed: (path: string) => Promise<boolean>,
): Promise<Repository | undefined> {
  const gitFolder = await realpath(named).catch(() => undefined);
  if (gitFolder === undefined) return undefined;
  const shared = (await readSmall(join(gitFolder, 'commondir')))?.trim();
  const common = shared === undefined ? gitFolder : await realpath(resolve(gitFolder, shared));
  const alternates = (await readSmall(join(common, 'objects/info/alternates'), 64 * 1024)) ?? '';
  const borrowed = alternates
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => resolve(common, 'objects', line));
  for (const path of [gitFolder, common, ...borrowed]) if (!(await isAllowed(path))) throw elsewhere;
  const places = [
    ...['HEAD', 'index', 'logs', 'logs/HEAD'].map((name) => join(gitFolder, name)),
    ...shareable.map((name) => join(common, name)),
  ];
  for (const place of places) {
    const found = await lstat(place).catch(() => undefined);
    if (found?.isSymbolicLink()) throw elsewhere;
  }
  const prefix = relative(top, folder).split(sep).join('/');
  return { top, gitFolder, common, prefix: prefix === '' ? '' : `${prefix}/` };
}

const shareable =
  'config info info/exclude logs logs/refs objects objects/info objects/pack packed-refs refs refs/heads worktrees'.split(
    ' ',
  );

const unfinished = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** What somebody began in the repository and didn't finish. */
export function unfinishedIn({ gitFolder }: Repository): ChangeList['unfinished'] {
  return unfinished.find(([name]) => existsSync(join(gitFolder, name)))?.[1] ?? null;
}

const elsewhere = new ParleyError(
  'forbidden',
  'The git repository of this folder leads to places outside of the work folders, so Parley does not use it.',
);
