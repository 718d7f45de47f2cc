// Colors the tree: files that changed since the last commit, the folders around them, and what git ignores.
import type { ChangedFile } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { changesQuery } from '../changes/use-changes.ts';
import { t } from '../i18n/translate.ts';
import { parentOf, type TreeRow } from './tree-model.ts';

export interface RowLook {
  readonly look: string;
  /** What the color means. */
  readonly words: string;
}

/** Notes have no history. */
export function useGitLooks(id: string): (row: TreeRow) => RowLook | undefined {
  const { data } = useQuery({ ...changesQuery(id, 'head'), enabled: id !== 'notes' });
  const files = data?.files;
  const ignoredPaths = data?.ignored;
  const known = useMemo(() => looksOf(files ?? []), [files]);
  const dimmed = useMemo(() => new Set(ignoredPaths), [ignoredPaths]);
  return useCallback(
    ({ path }: TreeRow) => known.get(path)?.() ?? (isIn(dimmed, path) ? ignored() : undefined),
    [known, dimmed],
  );
}

function looksOf(files: readonly ChangedFile[]): ReadonlyMap<string, () => RowLook> {
  const looks = new Map<string, () => RowLook>();
  for (const { path, kind, conflict } of files) {
    for (let folder = parentOf(path); folder !== '' && !looks.has(folder); folder = parentOf(folder))
      looks.set(folder, changedInside);
    looks.set(path, conflict ? withConflicts : kind === 'added' ? added : changed);
  }
  return looks;
}

/** The path itself or a folder around it. */
function isIn(paths: ReadonlySet<string>, path: string): boolean {
  for (let at = path; at !== ''; at = parentOf(at)) if (paths.has(at)) return true;
  return false;
}

const ignored = () => ({ look: 'text-faint italic', words: t('ignored by git') });
const added = () => ({ look: 'text-good', words: t('new') });
const changed = () => ({ look: 'text-warn', words: t('changed') });
const withConflicts = () => ({ look: 'text-danger', words: t('with conflicts') });
const changedInside = () => ({ look: 'text-warn', words: t('with changes') });
