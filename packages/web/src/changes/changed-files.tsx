// Lists the changed files with their line counts. Those changed since the last commit can be ticked for the next one,
// or discarded. Renders only the rows in view.
import type { ChangedFile } from '@parley/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { nameOf, parentOf } from '../files/tree-model.ts';
import { visibleName } from '../files/visible-name.ts';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';

const rowHeight = 40;

export interface FileActions {
  readonly onOpen: (file: ChangedFile) => void;
  /** Undefined where files can't be ticked. */
  readonly onStage: ((file: ChangedFile, staged: boolean) => void) | undefined;
  readonly onDiscard: ((file: ChangedFile) => void) | undefined;
}

export function ChangedFiles({ files, actions }: { files: readonly ChangedFile[]; actions: FileActions }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    useFlushSync: false,
  });
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ul aria-label={t('Changed files')} className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const file = files[index];
          if (!file) return null;
          return (
            <li
              key={file.path}
              aria-setsize={files.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 flex items-center gap-1 px-2 hover:bg-sunken"
              style={{ top: start, height: rowHeight }}
            >
              <FileRow file={file} actions={actions} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function FileRow({
  file,
  actions: { onOpen, onStage, onDiscard },
}: {
  file: ChangedFile;
  actions: FileActions;
}) {
  const { path, from, kind, staged, added, removed, conflict, unreadable } = file;
  const name = visibleName(nameOf(path));
  const { letter, look, words } = conflict ? conflicted() : kinds[kind]();
  const folder = from === undefined ? visibleName(parentOf(path)) : `← ${visibleName(from)}`;
  return (
    <>
      {onStage && (
        <StageBox
          label={t('Commit {name}', { name: visibleName(path) })}
          staged={staged}
          disabled={unreadable === true}
          onChange={(next) => onStage(file, next)}
        />
      )}
      <button
        type="button"
        disabled={unreadable}
        onClick={() => onOpen(file)}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-lg px-1 text-left text-sm disabled:opacity-60"
      >
        <span aria-hidden className={classes('w-4 shrink-0 text-center font-mono text-xs', look)}>
          {letter}
        </span>
        <span className="min-w-0 flex-1 truncate" title={visibleName(path)}>
          <bdi className={classes(kind === 'deleted' && 'line-through')}>{name}</bdi>
          {folder !== '' && <bdi className="ml-1.5 text-faint text-xs">{folder}</bdi>}
          <span className="sr-only">, {words}</span>
        </span>
        {added !== undefined && (
          <span className="shrink-0 text-xs tabular-nums">
            <span className="text-good">+{added}</span> <span className="text-danger">−{removed}</span>
          </span>
        )}
      </button>
      {onDiscard && !unreadable && (
        <IconButton label={t('Discard {name}', { name: visibleName(path) })} onClick={() => onDiscard(file)}>
          <Undo2 size={15} aria-hidden />
        </IconButton>
      )}
    </>
  );
}

/** Half ticked if the file changed after it was staged. */
function StageBox({
  label,
  staged,
  disabled,
  onChange,
}: {
  label: string;
  staged: ChangedFile['staged'];
  disabled: boolean;
  onChange: (staged: boolean) => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = staged === 'partly';
  }, [staged]);
  return (
    <label className="grid size-9 shrink-0 cursor-pointer place-items-center">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={staged === 'yes'}
        disabled={disabled}
        onChange={() => onChange(staged !== 'yes')}
        className="size-4.5 accent-accent"
      />
    </label>
  );
}

const conflicted = () => ({ letter: '!', look: 'text-danger', words: t('with conflicts') });
const kinds = {
  added: () => ({ letter: 'A', look: 'text-good', words: t('new') }),
  modified: () => ({ letter: 'M', look: 'text-warn', words: t('changed') }),
  deleted: () => ({ letter: 'D', look: 'text-danger', words: t('deleted') }),
  renamed: () => ({ letter: 'R', look: 'text-accent', words: t('renamed') }),
};
