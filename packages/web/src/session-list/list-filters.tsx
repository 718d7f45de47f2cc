// The filters and the selection that every list of sessions has.
import { useMemo, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { Select } from '../ui/select.tsx';
import { tagsIn, useMarks } from './marks.ts';
import type { Selection } from './selection.tsx';

export interface MarkFilter {
  readonly archived: boolean;
  readonly tag: string | undefined;
}

export function useSelection(
  isArchive: boolean,
  onRemoved: Selection['onRemoved'],
): { readonly selection: Selection | undefined; readonly start: () => void } {
  const [ids, setIds] = useState<ReadonlySet<string>>();
  const selection = useMemo<Selection | undefined>(
    () =>
      ids && {
        ids,
        toggle: (id) => {
          const after = new Set(ids);
          if (!after.delete(id)) after.add(id);
          setIds(after);
        },
        end: () => setIds(undefined),
        isArchive,
        onRemoved,
      },
    [ids, isArchive, onRemoved],
  );
  return { selection, start: () => setIds(new Set()) };
}

/** Filters by tag, if there are any, and by archive, and lets people select several. */
export function MarkFilters<Filter extends MarkFilter>({
  filter,
  onFilter,
  onSelect,
}: {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onSelect: () => void;
}) {
  const tags = tagsIn(useMarks());
  return (
    <div className="flex items-center gap-1.5">
      {(tags.length > 0 || filter.tag !== undefined) && (
        <Select
          aria-label={t('Tag')}
          value={filter.tag ?? ''}
          onChange={({ target }) =>
            onFilter({ ...filter, tag: target.value === '' ? undefined : target.value })
          }
          className={classes(
            'h-8 bg-raised pl-2 text-xs',
            filter.tag === undefined ? 'border-line text-soft' : 'border-accent text-accent',
          )}
        >
          <option value="">{t('All tags')}</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </Select>
      )}
      <Toggle isOn={filter.archived} onToggle={(archived) => onFilter({ ...filter, archived })}>
        {t('Archived')}
      </Toggle>
      <Toggle isOn={false} onToggle={onSelect}>
        {t('Select')}
      </Toggle>
    </div>
  );
}

export function Toggle({
  isOn,
  onToggle,
  children,
}: {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  children: string;
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
      className={classes(
        'h-8 shrink-0 whitespace-nowrap rounded-lg border px-2 text-xs transition-colors',
        isOn ? 'border-accent bg-accent-wash text-accent' : 'border-line text-soft hover:bg-sunken',
      )}
    >
      {children}
    </button>
  );
}

/** The tags of one session in its row. */
export function RowTags({ tags = [] }: { tags: readonly string[] | undefined }) {
  if (tags.length === 0) return null;
  return (
    <span className="mt-0.5 block truncate font-normal text-faint text-xs">
      {tags.map((tag) => `#${tag}`).join(' ')}
    </span>
  );
}
