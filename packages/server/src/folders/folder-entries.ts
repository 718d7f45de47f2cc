// Lists the entries of a folder in order, folders first. Lists are remembered as long as the folder doesn't change, so
// that further pages are quick.
import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { isDraft } from '../basics/atomic-file.ts';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { FileEntry } from '../domain/files.ts';
import { type Folder, versionOf } from './folder.ts';

/** In a folder with more entries, the rest is not listed. */
const maxEntries = 200_000;
/** A folder that changed this recently may change again without a new time stamp. Some file systems only keep seconds. */
const settledMs = { exact: 100, inSeconds: 2_000 };
const batchSize = 8_192;

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
    const isExact = stats.ctimeNs % 1_000_000_000n !== 0n;
    const age = Date.now() - Number(stats.ctimeMs);
    if (age > (isExact ? settledMs.exact : settledMs.inSeconds)) this.#known.set(key, read);
    return read;
  }
}

async function readEntries(folder: Folder): Promise<FolderEntries> {
  const kinds = new Map<string, FileEntry['kind']>();
  for await (const batch of batchesOf(folder.path)) {
    for (const entry of batch) {
      if (kinds.size >= maxEntries) return { entries: inOrder(kinds), isCut: true };
      if (!isDraft(entry.name)) kinds.set(entry.name, kindOf(entry));
    }
  }
  return { entries: inOrder(kinds), isCut: false };
}

/** Waiting for each entry would take twice as long. */
async function* batchesOf(path: string): AsyncGenerator<readonly Dirent[], void, undefined> {
  const folder = await opendir(path, { bufferSize: batchSize });
  try {
    for (let first = await folder.read(); first; first = await folder.read()) {
      const batch = [first];
      // The others were read together with it, and are in memory.
      while (batch.length < batchSize) {
        const next = folder.readSync();
        if (!next) break;
        batch.push(next);
      }
      yield batch;
    }
  } finally {
    await folder.close();
  }
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

/** Sorted by code points of the lowercase names: comparing by the rules of a language takes 20 times as long. */
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
