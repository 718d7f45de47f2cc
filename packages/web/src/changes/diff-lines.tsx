// The lines of a diff, in one column or two. Renders only those in view, so ten thousand scroll like ten. Lines that
// surely don't wrap aren't measured: each measurement makes the browser lay out the page again.
import type { DiffHunk } from '@parley/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { DiffLine } from '../conversation/tools/diff-line.tsx';
import { languageOf } from '../conversation/tools/language-of.ts';
import { t } from '../i18n/translate.ts';
import type { HighlightedLine } from '../ui/code/highlight-wire.ts';
import { useHighlighting } from '../ui/code/highlighted-text.tsx';
import { type DiffCell, type DiffRow, diffRows } from './diff-rows.ts';

const lineHeight = 20;
/** The number, the sign and the space around them. */
const marginPx = 72;
/** Slightly more than the width of a character. */
const characterPx = 8;

export function DiffLines({
  path,
  hunks,
  isSplit,
}: {
  path: string;
  hunks: readonly DiffHunk[];
  isSplit: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, before, after } = useMemo(() => diffRows(hunks, isSplit), [hunks, isSplit]);
  const language = languageOf(path);
  // Each side is valid code on its own; the two together are not.
  const colorsBefore = useHighlighting(language, before, true);
  const colorsAfter = useHighlighting(language, after, true);
  const width = useWidth(scroller);
  const columns = Math.floor((isSplit ? width / 2 : width) / characterPx - marginPx / characterPx);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 16,
    paddingStart: 6,
    paddingEnd: 6,
    useFlushSync: false,
  });
  return (
    <div
      ref={scroller}
      role="group"
      aria-label={t('Changed lines')}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden overscroll-contain bg-code font-mono text-xs leading-5 outline-offset-[-2px]"
    >
      <div className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={index}
              ref={fits(row, columns) ? undefined : list.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row row={row} before={colorsBefore} after={colorsAfter} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Whether it surely doesn't wrap. Characters beyond ASCII may be wider, and gaps have a different height. */
function fits(row: DiffRow, columns: number): boolean {
  const isShort = (cell: DiffCell | undefined) =>
    cell === undefined || (cell.text.length <= columns && /^[\x20-\x7e]*$/.test(cell.text));
  switch (row.kind) {
    case 'gap':
      return false;
    case 'line':
      return isShort(row.cell);
    case 'pair':
      return isShort(row.before) && isShort(row.after);
    default:
      return row satisfies never;
  }
}

interface RowProps {
  readonly row: DiffRow;
  /** The colors of each side. */
  readonly before: readonly HighlightedLine[];
  readonly after: readonly HighlightedLine[];
}

const Row = memo(function Row({ row, before, after }: RowProps) {
  const colorsOf = (cell: DiffCell) => (cell.kind === 'removed' ? before : after)[cell.at];
  switch (row.kind) {
    case 'gap':
      return <div aria-hidden className="my-1 border-line border-t border-dashed" />;
    case 'line':
      return (
        <DiffLine
          line={row.cell}
          number={row.cell.newNumber ?? row.cell.oldNumber}
          colors={colorsOf(row.cell)}
          wraps
        />
      );
    case 'pair':
      return (
        <div className="grid grid-cols-2 divide-x divide-line">
          <Side cell={row.before} number={row.before?.oldNumber} colors={before} />
          <Side cell={row.after} number={row.after?.newNumber} colors={after} />
        </div>
      );
    default:
      return row satisfies never;
  }
});

function Side({
  cell,
  number,
  colors,
}: {
  cell: DiffCell | undefined;
  number: number | undefined;
  colors: readonly HighlightedLine[];
}) {
  if (!cell) return <div aria-hidden className="bg-sunken" />;
  return <DiffLine line={cell} number={number} colors={colors[cell.at]} wraps />;
}
