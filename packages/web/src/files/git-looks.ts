// The color of a file in the tree: what changed since the last commit, and the folders around it.
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
  const known = useMemo(() => looksOf(files ?? []), [files]);
  return useCallback(({ path }: TreeRow) => known.get(path)?.(), [known]);
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

const added = () => ({ look: 'text-good', words: t('new') });
const changed = () => ({ look: 'text-warn', words: t('changed') });
const withConflicts = () => ({ look: 'text-danger', words: t('with conflicts') });
const changedInside = () => ({ look: 'text-warn', words: t('with changes') });
