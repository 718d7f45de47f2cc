// The folders that a tree shows: which are expanded, and the parts of their lists that were in view.
import type { FilePage } from '@parley/protocol';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FilesOf } from './files-of.ts';
import { countRows, indexOf, type KnownFolder, parentOf, rowAt, type TreeRow } from './tree-model.ts';

/** Entries per request. */
const pageSize = 500;

export interface Tree {
  /** Whether anything is known. */
  readonly isLoaded: boolean;
  readonly count: number;
  readonly row: (index: number) => TreeRow | undefined;
  readonly indexOf: (path: string) => number | undefined;
  /** Loads the part of a folder around this position, unless it is known. */
  readonly want: (folder: string, at: number) => void;
  readonly toggle: (folder: string, isExpanded: boolean) => void;
  /** Expands the folders above a path. */
  readonly reveal: (path: string) => void;
  /** Reads everything in view again. */
  readonly refresh: () => void;
  readonly isCut: boolean;
  readonly error: unknown;
}

export function useTree(place: FilesOf): Tree {
  const [folders, setFolders] = useState<ReadonlyMap<string, KnownFolder>>(new Map());
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>();
  /** The pages that were asked for. */
  const asked = useRef(new Set<string>());

  const load = useCallback(
    (folder: string, page: number, isFresh = false) => {
      const key = `${page} ${folder}`;
      if (asked.current.has(key) && !isFresh) return;
      asked.current.add(key);
      place.files.list(folder, { offset: page * pageSize, limit: pageSize }).then(
        (list) => {
          setError(undefined);
          setFolders((before) => new Map(before).set(folder, withPage(before.get(folder), list, isFresh)));
        },
        (problem: unknown) => {
          asked.current.delete(key);
          // A folder that no longer exists must not hide the rest.
          if (folder === '') setError(problem);
          else setExpanded((before) => without(before, folder));
        },
      );
    },
    [place],
  );
  const refresh = useCallback(() => {
    const shown = ['', ...expanded];
    asked.current = new Set();
    for (const folder of shown) load(folder, 0, true);
  }, [expanded, load]);
  useEffect(() => load('', 0), [load]);

  const want = useCallback((folder: string, at: number) => load(folder, Math.floor(at / pageSize)), [load]);
  const toggle = useCallback(
    (folder: string, isExpanded: boolean) => {
      if (isExpanded) load(folder, 0);
      setExpanded((before) => (isExpanded ? new Set(before).add(folder) : without(before, folder)));
    },
    [load],
  );
  const reveal = useCallback(
    (path: string) => {
      for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) toggle(folder, true);
    },
    [toggle],
  );
  return useMemo(
    () => ({
      isLoaded: folders.has(''),
      count: countRows(folders, expanded),
      row: (index: number) => rowAt(folders, expanded, index),
      indexOf: (path: string) => indexOf(folders, expanded, path),
      want,
      toggle,
      reveal,
      refresh,
      isCut: ['', ...expanded].some((folder) => folders.get(folder)?.isCut),
      error,
    }),
    [folders, expanded, want, toggle, reveal, refresh, error],
  );
}

function withPage(known: KnownFolder | undefined, page: FilePage, isFresh: boolean): KnownFolder {
  // If the length has changed, the known positions are no longer right.
  const isSame = known?.total === page.total && !isFresh;
  const entries = new Map(isSame ? known.entries : []);
  page.entries.forEach((entry, at) => void entries.set(page.offset + at, entry));
  return { total: page.total, entries, isCut: page.truncated };
}

function without(paths: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return new Set([...paths].filter((one) => one !== path));
}
