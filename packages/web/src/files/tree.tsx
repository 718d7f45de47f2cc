// The tree of a folder. Renders only the rows in view. One row has the keyboard focus: Up and Down move it, Right and
// Left open and close folders.
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, File, FileQuestion, FileSymlink, Folder, FolderOpen } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { parentOf, type TreeRow } from './tree-model.ts';
import type { Tree } from './use-tree.ts';
import { visibleName } from './visible-name.ts';

const rowHeight = 28;

export function TreeView({
  tree,
  onOpen,
  onDrop,
  lookOf,
}: {
  tree: Tree;
  onOpen: (path: string) => void;
  /** Files were dropped on this folder. */
  onDrop: ((folder: string, files: readonly globalThis.File[]) => void) | undefined;
  /** The color of a row, and what it means. */
  lookOf: (row: TreeRow) => { readonly look: string; readonly words: string } | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [at, setAt] = useState(0);
  const [target, setTarget] = useState<string>();
  const list = useVirtualizer({
    count: tree.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    useFlushSync: false,
  });
  const rows = list.getVirtualItems().map(({ index, start }) => ({ index, start, row: tree.row(index) }));
  useEffect(() => {
    for (const { row } of rows) if (row && !row.entry) tree.want(row.parent, row.at);
  });

  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(tree.count - 1, index));
    setAt(next);
    list.scrollToIndex(next, { align: 'auto' });
  };
  const act = (row: TreeRow) => {
    if (row.entry?.kind === 'folder') tree.toggle(row.path, !row.isExpanded);
    else if (row.entry?.kind === 'file') onOpen(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = tree.row(at);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: tree.count - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const step = steps[event.key];
    if (step !== undefined) goTo(step);
    else if (!row) return;
    else if (event.key === 'Enter' || event.key === ' ') act(row);
    else if (event.key === 'ArrowRight' && row.entry?.kind === 'folder') {
      if (row.isExpanded) goTo(at + 1);
      else tree.toggle(row.path, true);
    } else if (event.key === 'ArrowLeft') {
      if (row.isExpanded) tree.toggle(row.path, false);
      else goTo(tree.indexOf(row.parent) ?? at);
    } else return;
    event.preventDefault();
  };
  /** Dropping on a file means the folder that it is in. */
  const folderOf = ({ path, entry, parent }: TreeRow) => (entry?.kind === 'folder' ? path : parent);
  const dropOn = (event: DragEvent, folder: string) => {
    event.preventDefault();
    event.stopPropagation();
    setTarget(undefined);
    onDrop?.(folder, [...event.dataTransfer.files]);
  };
  const dragOver = (event: DragEvent, folder: string) => {
    if (!onDrop || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.stopPropagation();
    setTarget(folder);
  };

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={t('Files')}
      aria-activedescendant={rows.some(({ index }) => index === at) ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDragOver={(event) => dragOver(event, '')}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setTarget(undefined);
      }}
      onDrop={(event) => dropOn(event, '')}
      className={classes(
        'group/tree min-h-0 flex-1 overflow-y-auto overscroll-contain py-1 outline-offset-[-2px]',
        target === '' && 'bg-accent-wash',
      )}
    >
      <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
        {rows.map(({ index, start, row }) => {
          if (!row) return null;
          const { entry } = row;
          const colored = lookOf(row);
          return (
            <div
              key={row.path}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={row.level}
              aria-posinset={row.at + 1}
              aria-setsize={row.siblings}
              aria-expanded={entry?.kind === 'folder' ? row.isExpanded : undefined}
              aria-label={entry && [visibleName(entry.name), colored?.words].filter(Boolean).join(', ')}
              tabIndex={-1}
              onMouseDown={() => setAt(index)}
              onClick={() => act(row)}
              onKeyDown={() => undefined}
              onDragOver={(event) => dragOver(event, folderOf(row))}
              onDrop={(event) => dropOn(event, folderOf(row))}
              className={classes(
                'absolute inset-x-0 flex cursor-pointer items-center gap-1.5 pr-3 text-sm outline-none hover:bg-sunken',
                index === at &&
                  'group-focus-visible/tree:inset-ring-2 group-focus-visible/tree:inset-ring-accent',
                target !== undefined && target !== '' && isInside(row.path, target) && 'bg-accent-wash',
              )}
              style={{ top: start, height: rowHeight, paddingInlineStart: 6 + (row.level - 1) * 14 }}
            >
              <RowIcon row={row} />
              <span
                className={classes('min-w-0 truncate', colored?.look)}
                title={entry && visibleName(entry.name)}
              >
                {entry ? <bdi>{visibleName(entry.name)}</bdi> : <span className="text-faint">…</span>}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function isInside(path: string, folder: string): boolean {
  return path === folder || parentOf(path) === folder;
}

function RowIcon({ row: { entry, isExpanded } }: { row: TreeRow }) {
  const kind = entry?.kind ?? 'file';
  const Icon = kind === 'folder' ? (isExpanded ? FolderOpen : Folder) : icons[kind];
  return (
    <>
      <ChevronRight
        size={14}
        aria-hidden
        className={classes(
          'shrink-0 text-faint transition-transform',
          kind !== 'folder' && 'invisible',
          isExpanded && 'rotate-90',
        )}
      />
      <Icon
        size={15}
        aria-hidden
        className={classes('shrink-0', kind === 'folder' ? 'text-accent' : 'text-faint')}
      />
    </>
  );
}

const icons = { file: File, link: FileSymlink, other: FileQuestion };
