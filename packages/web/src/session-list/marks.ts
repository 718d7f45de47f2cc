// What the person has pinned, tagged and archived, and how they change it. Deleting can be undone for a while.
import type { MarkChange, SessionMarks } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client } from '../client.ts';
import { errorText } from '../i18n/error-text.ts';
import { t } from '../i18n/translate.ts';
import { showNotice } from '../ui/notice.tsx';
import { refreshLists } from './refresh.ts';

const key = ['marks'] as const;

export function useMarks(): ReadonlyMap<string, SessionMarks> {
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.sessions.marks(signal),
    staleTime: 60_000,
  });
  return useMemo(() => new Map(data?.map((marks) => [marks.id, marks])), [data]);
}

/** All tags in use, in alphabetical order. */
export function tagsIn(marks: ReadonlyMap<string, SessionMarks>): readonly string[] {
  return [...new Set([...marks.values()].flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b));
}

export interface Organize {
  readonly mark: (change: MarkChange) => Promise<void>;
  /** Resolves to the ids of those that were deleted, and offers to restore them. */
  readonly remove: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** Shows what goes wrong. */
export function useOrganize(): Organize {
  const queries = useQueryClient();
  const mark = useCallback(
    async (change: MarkChange) => {
      try {
        queries.setQueryData(key, await client.sessions.mark(change));
      } catch (error) {
        showNotice(errorText(error));
      }
      refreshLists(queries);
    },
    [queries],
  );
  const remove = useCallback(
    async (ids: readonly string[]) => {
      try {
        const { removed, busy, until } = await client.sessions.removeAll(ids);
        const restore = async () => {
          const back = await client.sessions.restore(removed).catch(() => []);
          if (back.length < removed.length) showNotice(t('It was too late to restore everything.'));
          refreshLists(queries);
        };
        const sentence =
          busy.length > 0
            ? t(
                '{count, plural, =0 {Nothing deleted.} one {# deleted.} other {# deleted.}} {busy, plural, one {# is still working and was kept.} other {# are still working and were kept.}}',
                { count: removed.length, busy: busy.length },
              )
            : t('{count, plural, one {# deleted.} other {# deleted.}}', { count: removed.length });
        const undo = { name: t('Undo'), run: () => void restore() };
        showNotice(sentence, removed.length > 0 ? undo : undefined, until - Date.now());
        refreshLists(queries);
        return removed;
      } catch (error) {
        showNotice(errorText(error));
        return [];
      }
    },
    [queries],
  );
  return useMemo(() => ({ mark, remove }), [mark, remove]);
}
