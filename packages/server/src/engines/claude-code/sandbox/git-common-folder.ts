// Finds the repository of a linked git working tree, which is outside of the working tree. Programs can write anything
// into the file that names it, so the repository counts only if it names this working tree too, and is below the same
// work root.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gitFolderOf, readSmall } from '../../../folders/git-folder.ts';
import { isWithin } from './path-rules.ts';

/** Undefined if the folder is not a linked working tree, or if its repository is elsewhere. */
export async function gitCommonFolder(folder: string, root: string): Promise<string | undefined> {
  const named = await gitFolderOf(folder);
  if (named === undefined || named === join(folder, '.git')) return undefined;
  const own = await realpath(named).catch(() => undefined);
  if (own === undefined || basename(dirname(own)) !== 'worktrees' || !isWithin(own, root)) return undefined;
  const back = (await readSmall(join(own, 'gitdir')))?.trim();
  return back === join(folder, '.git') ? dirname(dirname(own)) : undefined;
}
