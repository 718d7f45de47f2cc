// What changed in one file.
import type { Changes } from '@parley/client';
import type { ChangedFile, ChangeList } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Columns2, FileX2, Rows3 } from 'lucide-react';
import { FileBar } from '../files/file-bar.tsx';
import { nameOf } from '../files/tree-model.ts';
import { visibleName } from '../files/visible-name.ts';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/notes.tsx';
import { DiffLines } from './diff-lines.tsx';

export function FileDiffView({
  changes,
  list: { base, now },
  file,
  isSplit,
  onSplit,
  onBack,
}: {
  changes: Changes;
  list: ChangeList;
  file: ChangedFile;
  isSplit: boolean;
  onSplit: (isSplit: boolean) => void;
  onBack: () => void;
}) {
  const { path, from } = file;
  const diff = useQuery({
    queryKey: ['diff', base, now, path],
    queryFn: ({ signal }) =>
      changes.diff({ path, ...(from !== undefined && { from }) }, { base, now }, signal),
    // Both states are fixed, so their diff never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  return (
    <section aria-label={visibleName(nameOf(path))} className="flex min-h-0 flex-1 flex-col">
      <FileBar path={path} back={t('All changes')} onBack={onBack}>
        <IconButton
          label={isSplit ? t('In one column') : t('Side by side')}
          className="max-sm:hidden"
          onClick={() => onSplit(!isSplit)}
        >
          {isSplit ? <Rows3 size={16} aria-hidden /> : <Columns2 size={16} aria-hidden />}
        </IconButton>
      </FileBar>
      {diff.isError ? (
        <div className="p-4">
          <ErrorNote error={diff.error} onRetry={() => void diff.refetch()} />
        </div>
      ) : !diff.data ? (
        <div role="status" aria-label={t('Comparing')} className="grid gap-2 p-4">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ) : diff.data.hunks.length === 0 ? (
        <Empty icon={<FileX2 size={22} aria-hidden />} title={t('No lines to show')}>
          {diff.data.binary
            ? t('This file is not text')
            : t('Only its name or its permissions have changed.')}
        </Empty>
      ) : (
        <DiffLines path={path} hunks={diff.data.hunks} isSplit={isSplit} />
      )}
      {diff.data?.truncated && (
        <p role="status" className="border-line border-t px-3 py-2 text-faint text-xs">
          {t('The rest of this change is too long to show.')}
        </p>
      )}
    </section>
  );
}
