// The panel with files next to a conversation: the tree with its search, or one file.
import type { FileMatch } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { FolderTree, RefreshCw, Upload as UploadIcon } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { ChangesView } from '../changes/changes-view.tsx';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/notes.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import { useOnChange } from '../ui/use-on-change.ts';
import { FileView } from './file-view.tsx';
import type { FilesOf } from './files-of.ts';
import { FindField, FoundFiles, type SearchIn } from './find-files.tsx';
import { useGitLooks } from './git-looks.ts';
import type { PanelControls, PanelTab } from './open-files.ts';
import { TreeView } from './tree.tsx';
import { useUpload } from './upload.ts';
import { useTree } from './use-tree.ts';

export function FilesPanel({
  place,
  controls,
  title,
  suggestion,
  refreshKey,
}: {
  place: FilesOf;
  controls: PanelControls;
  title: string;
  /** A commit message; absent where nothing can be committed. */
  suggestion?: string;
  /** When this changes, the files may have changed too. */
  refreshKey: unknown;
}) {
  const { shown, openFile, openChange, closeFile, close } = controls;
  const isChanges = suggestion !== undefined && shown?.tab === 'changes';
  return (
    <SidePanel
      label={isChanges ? t('Changes') : title}
      title={
        suggestion === undefined ? (
          <p className="min-w-0 truncate font-medium text-soft text-sm">{title}</p>
        ) : (
          <PanelTabs tab={isChanges ? 'changes' : 'files'} onShow={controls.show} />
        )
      }
      closeLabel={t('Close files')}
      onClose={close}
      focusKey={shown?.file ?? ''}
      className={classes(
        'md:w-[22rem] lg:w-[26rem] xl:w-[34rem]',
        isChanges && shown.file !== undefined ? '2xl:w-[56rem]' : '2xl:w-[42rem]',
      )}
    >
      {/* On a phone, the panel covers the page's own heading. */}
      <h1 className="sr-only md:hidden">{isChanges ? t('Changes') : title}</h1>
      {isChanges ? (
        <ChangesView
          id={place.id}
          mayWrite={place.mayWrite}
          isOwner={place.isOwner}
          open={shown.file}
          onOpen={openChange}
          onBack={closeFile}
          suggestion={suggestion}
          refreshKey={refreshKey}
        />
      ) : shown?.file === undefined ? (
        <Browse place={place} onOpen={openFile} refreshKey={refreshKey} />
      ) : (
        <FileView
          key={`${shown.file}:${shown.line ?? ''}`}
          place={place}
          path={shown.file}
          line={shown.line}
          onBack={closeFile}
        />
      )}
    </SidePanel>
  );
}

/** Arrow keys go from one to the other, as in every list of tabs. */
function PanelTabs({ tab, onShow }: { tab: PanelTab; onShow: (tab: PanelTab) => void }) {
  const names: Readonly<Record<PanelTab, string>> = { files: t('Files'), changes: t('Changes') };
  const other = tab === 'files' ? 'changes' : 'files';
  return (
    <div role="tablist" aria-label={t('Files and changes')} className="-ml-3 flex gap-1">
      {(['files', 'changes'] as const).map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          aria-selected={one === tab}
          tabIndex={one === tab ? 0 : -1}
          onClick={() => onShow(one)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
            event.preventDefault();
            onShow(other);
            const sibling =
              event.currentTarget.nextElementSibling ?? event.currentTarget.previousElementSibling;
            if (sibling instanceof HTMLElement) sibling.focus();
          }}
          className={classes(
            'min-h-9 rounded-lg px-3 font-medium text-sm pointer-coarse:min-h-10',
            one === tab ? 'bg-sunken text-ink' : 'text-soft hover:text-ink',
          )}
        >
          {names[one]}
        </button>
      ))}
    </div>
  );
}

function Browse({
  place,
  onOpen,
  refreshKey,
}: {
  place: FilesOf;
  onOpen: (path: string, line?: number) => void;
  refreshKey: unknown;
}) {
  const tree = useTree(place);
  const queries = useQueryClient();
  const lookOf = useGitLooks(place.id);
  const [query, setQuery] = useState('');
  const [where, setWhere] = useState<SearchIn>('names');
  const { refresh, reveal, toggle } = tree;
  const upload = useUpload(place, refresh);
  useOnChange([refreshKey], () => {
    refresh();
    void queries.invalidateQueries({ queryKey: ['changes', place.id] });
  });
  const openMatch = useCallback(
    ({ path, line, folder }: FileMatch) => {
      if (!folder) return onOpen(path, line);
      setQuery('');
      reveal(path);
      return toggle(path, true);
    },
    [onOpen, reveal, toggle],
  );
  return (
    <>
      <FindField query={query} where={where} onQuery={setQuery} onWhere={setWhere} />
      {query.trim() === '' ? (
        <Shown tree={tree}>
          <TreeView
            tree={tree}
            onOpen={onOpen}
            onDrop={place.mayWrite ? upload.start : undefined}
            lookOf={lookOf}
          />
        </Shown>
      ) : (
        <FoundFiles place={place} query={query} where={where} onOpen={openMatch} />
      )}
      <ConfirmDialog
        open={upload.replaced !== undefined}
        title={t('Replace the file?')}
        warning={t('{name} already exists. Its content will be overwritten.', {
          name: upload.replaced?.name ?? '',
        })}
        action={t('Replace')}
        run={async () => upload.replaced?.decide(true)}
        onClose={() => upload.replaced?.decide(false)}
      />
      {upload.error !== undefined && (
        <div className="p-2">
          <ErrorNote error={upload.error} />
        </div>
      )}
      <div className="flex min-h-11 shrink-0 items-center gap-1 border-line border-t px-2 text-faint text-xs">
        <p role="status" className="min-w-0 flex-1 truncate px-1">
          {upload.name !== undefined
            ? t('Uploading {name} …', { name: upload.name })
            : tree.isCut
              ? t('Not all files are listed.')
              : place.mayWrite && t('Drop files to upload them')}
        </p>
        {place.mayWrite && <UploadButton onFiles={(files) => upload.start('', files)} />}
        <IconButton label={t('Refresh files')} onClick={refresh}>
          <RefreshCw size={15} aria-hidden />
        </IconButton>
      </div>
    </>
  );
}

function Shown({ tree, children }: { tree: ReturnType<typeof useTree>; children: ReactNode }) {
  if (tree.error !== undefined) {
    return (
      <div className="min-h-0 flex-1 p-3">
        <ErrorNote error={tree.error} onRetry={tree.refresh} />
      </div>
    );
  }
  if (!tree.isLoaded) {
    return (
      <div
        role="status"
        aria-label={t('Loading files')}
        className="grid min-h-0 flex-1 content-start gap-2 p-3"
      >
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="h-5 w-1/3" />
      </div>
    );
  }
  if (tree.count === 0) {
    return (
      <div className="min-h-0 flex-1">
        <Empty icon={<FolderTree size={22} aria-hidden />} title={t('No files yet')}>
          {null}
        </Empty>
      </div>
    );
  }
  return children;
}

function UploadButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <label
      title={t('Upload files')}
      className={classes(
        'grid size-9 cursor-pointer place-items-center rounded-lg text-soft hover:bg-sunken hover:text-ink has-focus-visible:outline-2',
      )}
    >
      <UploadIcon size={15} aria-hidden />
      <input
        type="file"
        multiple
        aria-label={t('Upload files')}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </label>
  );
}
