// Finds files and folders by their path: every letter of the query occurs in it, in order. The best matches come first.
import type { Folder } from './folder.ts';
import { excludeArgs, runRipgrep } from './ripgrep.ts';

export interface FoundName {
  /** Relative to the searched folder. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface FindOptions {
  readonly query: string;
  readonly skipsIgnored: boolean;
  readonly hidden: readonly string[];
  readonly limit: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Stops after this many matching paths: the person has to type more. */
const maxCompared = 5_000;

export async function findNames(
  folder: Folder,
  { query, skipsIgnored, hidden, limit, timeoutMs, signal }: FindOptions,
): Promise<{ readonly found: readonly FoundName[]; readonly isCut: boolean }> {
  const ranked: (FoundName & { readonly rank: number })[] = [];
  const folders = new Set<string>();
  const wanted = query.toLowerCase();
  const offer = (path: string, isFolder: boolean) => {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) ranked.push({ path, isFolder, rank });
  };
  const { stoppedBy } = await runRipgrep({
    folder,
    args: [
      '--files',
      '--null',
      '--hidden',
      ...(skipsIgnored ? ['--no-require-git'] : ['--no-ignore']),
      ...excludeArgs(['.git', ...hidden]),
    ],
    separator: '\0',
    onRecord: (record) => {
      const path = record.replace(/^\.[\\/]/, '');
      for (const parent of parentsOf(path)) {
        if (folders.has(parent)) break;
        folders.add(parent);
        offer(parent, true);
      }
      offer(path, false);
      return ranked.length < maxCompared;
    },
    timeoutMs,
    signal,
  });
  const best = ranked.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || compare(a, b));
  return {
    found: best.slice(0, limit).map(({ path, isFolder }) => ({ path, isFolder })),
    isCut: stoppedBy !== undefined || best.length > limit,
  };
}

/** The nearest first. */
function* parentsOf(path: string): Iterable<string> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
}

/** Lower is better: the name itself, its start, a part of it, a part of the path, only the letters. */
function rankOf(path: string, query: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (path.startsWith(query)) return 2;
  if (name.includes(query)) return 3;
  if (path.includes(query)) return 4;
  let at = -1;
  for (const letter of query) {
    at = path.indexOf(letter, at + 1);
    if (at < 0) return undefined;
  }
  return 5;
}

function compare(a: FoundName, b: FoundName): number {
  return a.path < b.path ? -1 : 1;
}
