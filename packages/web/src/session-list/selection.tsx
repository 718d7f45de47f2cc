// The bar for several sessions at once: archive, tag, delete.
import { Archive, ArchiveRestore, Tag, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { useOrganize } from './marks.ts';
import { TagsDialog } from './tags-dialog.tsx';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly end: () => void;
  /** Whether the list shows archived sessions. */
  readonly isArchive: boolean;
  /** Called with the ids of those that were deleted. */
  readonly onRemoved: (ids: readonly string[]) => void;
}

export function SelectionBar({ ids, end, isArchive, onRemoved }: Selection) {
  const { mark, remove } = useOrganize();
  const [isTagging, setTagging] = useState(false);
  const all = [...ids];
  const isEmpty = all.length === 0;
  return (
    <div role="toolbar" aria-label={t('Selected sessions')} className="flex items-center gap-1">
      <p role="status" className="min-w-0 flex-1 truncate px-1 text-sm">
        {t('{count, plural, one {# selected} other {# selected}}', { count: all.length })}
      </p>
      <IconButton
        label={isArchive ? t('Unarchive') : t('Archive')}
        disabled={isEmpty}
        onClick={() => void mark({ ids: all, archived: !isArchive }).then(end)}
      >
        {isArchive ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
      </IconButton>
      <IconButton label={t('Tags …')} disabled={isEmpty} onClick={() => setTagging(true)}>
        <Tag size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={t('Delete')}
        disabled={isEmpty}
        onClick={() =>
          void remove(all).then((removed) => {
            onRemoved(removed);
            end();
          })
        }
      >
        <Trash2 size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('Stop selecting')} onClick={end}>
        <X size={16} aria-hidden />
      </IconButton>
      {isTagging && (
        <TagsDialog
          ids={all}
          onClose={() => {
            setTagging(false);
            end();
          }}
        />
      )}
    </div>
  );
}
