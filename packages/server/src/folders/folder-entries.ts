// The entries of a folder in order, folders first. Long lists are remembered as long as the folder doesn't change, so that
// each further page of one is quick.
import { opendir, stat } from 'node:fs/promises';
import { isDraft } from '../basics/atomic-file.ts';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { FileEntry } from '../domain/files.ts';
import { type Folder, versionOf } from './folder.ts';

/** In a folder with more entries, the rest is not listed. */
const mostEntries = 200_000;
/** A folder that changed this recently may change again without a new time stamp. */
const settledMs = 2_000;

export interface FolderEntries {
  readonly entries: readonly FileEntry[];
  readonly isCut: boolean;
}

export class EntryLists {
  readonly #known = new BoundedMap<string, FolderEntries>(4);

  async of(folder: Folder): Promise<FolderEntries> {
    const stats = await stat(folder.path, { bigint: true });
    const key = `${stats.dev}:${versionOf(stats)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const read = await readEntries(folder);
    const isSettled = Date.now() - Number(stats.ctimeMs) > settledMs;
    if (isSettled) this.#known.set(key, read);
    return read;
  }
}

async function readEntries(folder: Folder): Promise<FolderEntries> {
  const kinds = new Map<string, FileEntry['kind']>();
  for await (const entry of await opendir(folder.path, { bufferSize: 1_024 })) {
    if (kinds.size >= mostEntries) return { entries: inOrder(kinds), isCut: true };
    if (!isDraft(entry.name)) kinds.set(entry.name, kindOf(entry));
  }
  return { entries: inOrder(kinds), isCut: false };
}

interface Typed {
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Typed): FileEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** By code points of the lowercase names: comparing by the rules of a language takes 20 times as long. */
function inOrder(kinds: ReadonlyMap<string, FileEntry['kind']>): readonly FileEntry[] {
  const isFolder = ([, kind]: readonly [string, FileEntry['kind']]) => kind === 'folder';
  const all = [...kinds];
  return [...sorted(all.filter(isFolder)), ...sorted(all.filter((entry) => !isFolder(entry)))];
}

function sorted(entries: readonly (readonly [string, FileEntry['kind']])[]): readonly FileEntry[] {
  return entries
    .map(([name, kind]) => ({ name, kind, key: name.toLowerCase() }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ name, kind }) => ({ name, kind }));
}
