// Finds the rows of a tree by counting. A folder may have 100,000 entries, and only the parts that were in view are
// known, so there is no list of all rows. Pure.
import type { FileEntry } from '@parley/protocol';

/** What is known about an expanded folder. */
export interface KnownFolder {
  readonly total: number;
  /** By position; those that were never in view are missing. */
  readonly entries: ReadonlyMap<number, FileEntry>;
  /** Whether the server left some out. */
  readonly isCut: boolean;
}

/** By path; the root's path is empty. */
export type KnownFolders = ReadonlyMap<string, KnownFolder>;

export interface TreeRow {
  /** Undefined while it is loading. */
  readonly entry: FileEntry | undefined;
  /** The path of the folder that it is in. */
  readonly parent: string;
  readonly path: string;
  /** Its position in its folder. */
  readonly at: number;
  readonly siblings: number;
  readonly level: number;
  readonly isExpanded: boolean;
}

export function countRows(folders: KnownFolders, expanded: ReadonlySet<string>, path = ''): number {
  const folder = folders.get(path);
  if (!folder) return 0;
  let count = folder.total;
  for (const [, child] of expandedIn(folder, path, expanded)) count += countRows(folders, expanded, child);
  return count;
}

export function rowAt(
  folders: KnownFolders,
  expanded: ReadonlySet<string>,
  index: number,
  path = '',
  level = 1,
): TreeRow | undefined {
  const folder = folders.get(path);
  if (!folder) return undefined;
  /** The position in this folder, if no folder before it were expanded. */
  let at = index;
  for (const [position, child] of expandedIn(folder, path, expanded)) {
    if (at <= position) break;
    const inside = countRows(folders, expanded, child);
    if (at <= position + inside) return rowAt(folders, expanded, at - position - 1, child, level + 1);
    at -= inside;
  }
  const entry = folder.entries.get(at);
  const own = entry ? join(path, entry.name) : `${path}/\0${at}`;
  return {
    entry,
    parent: path,
    path: own,
    at,
    siblings: folder.total,
    level,
    isExpanded: entry?.kind === 'folder' && expanded.has(own),
  };
}

/** The index of an entry whose folders are all expanded; undefined if it isn't known. */
export function indexOf(
  folders: KnownFolders,
  expanded: ReadonlySet<string>,
  wanted: string,
  path = '',
): number | undefined {
  const folder = folders.get(path);
  if (!folder) return undefined;
  const name = wanted.slice(path === '' ? 0 : path.length + 1).split('/', 1)[0] ?? '';
  const own = join(path, name);
  for (const [position, entry] of folder.entries) {
    if (entry.name !== name) continue;
    let index = position;
    for (const [before, child] of expandedIn(folder, path, expanded))
      if (before < position) index += countRows(folders, expanded, child);
    if (own === wanted) return index;
    const below = indexOf(folders, expanded, wanted, own);
    return below === undefined ? undefined : index + 1 + below;
  }
  return undefined;
}

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Folders come first in a folder, and those that are expanded are known. */
function expandedIn(
  folder: KnownFolder,
  path: string,
  expanded: ReadonlySet<string>,
): readonly (readonly [position: number, path: string])[] {
  const found: [number, string][] = [];
  for (const [position, { name, kind }] of folder.entries) {
    if (kind === 'folder' && expanded.has(join(path, name))) found.push([position, join(path, name)]);
  }
  return found.sort(([a], [b]) => a - b);
}
