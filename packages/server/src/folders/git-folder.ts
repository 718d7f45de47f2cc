// Where a working tree keeps its repository. Reads files only; git isn't started.
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Far more than a line with a name needs. */
const largestFile = 4_096;

/** Linked working trees and submodules have a file there that names the folder. */
export async function gitFolderOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec((await readSmall(path)) ?? '')?.[1];
  return named === undefined ? undefined : resolve(folder, named);
}

/** Reads small regular files only: reading a pipe could wait forever. */
export async function readSmall(path: string, most = largestFile): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > most) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}
