// The transcript: opens at its end, follows new text while the reader is there, and loads older pages while they
// scroll up. Renders only the rows in view, except for printing.

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Spinner } from '../ui/notes.tsx';
import { ItemView } from './items/item-view.tsx';
import { SentPromptView } from './items/prompt.tsx';
import { estimateHeight, type Row, rowKey } from './rows.ts';
import { useFollowEnd } from './use-follow-end.ts';

/** Older messages load before the reader reaches the first row. */
const rowsAhead = 12;

export function Transcript({
  rows,
  hasOlder,
  isLoadingOlder,
  onOlder,
  marked,
}: {
  rows: readonly Row[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  onOlder: () => void;
  /** The key of the row to go to and mark. A new object goes there again. */
  marked?: { readonly key: string } | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const hasOpened = useRef(false);
  const isPrinting = useIsPrinting();
  const { isAtEnd, goToEnd, leaveEnd } = useFollowEnd(scroller, content);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(rows[index]),
    getItemKey: useCallback(
      (index: number) => {
        const row = rows[index];
        return row ? rowKey(row) : index;
      },
      [rows],
    ),
    overscan: 6,
    // Render the end first; the beginning is out of view.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => rows.reduce((sum, row) => sum + estimateHeight(row), -window.innerHeight),
    // Rows that arrive above don't move what is being read. The browser's own anchoring would correct it twice.
    anchorTo: 'end',
    paddingStart: 24,
    paddingEnd: 24,
    useFlushSync: false,
  });
  const shown = list.getVirtualItems();
  const first = shown[0]?.index;

  useLayoutEffect(() => {
    if (hasOpened.current || rows.length === 0) return;
    hasOpened.current = true;
    goToEnd();
  }, [rows.length, goToEnd]);

  // People want to see what becomes of the message they just sent.
  const sent = rows.findLast((row) => row.kind === 'sent')?.key;
  useLayoutEffect(() => {
    if (sent !== undefined) goToEnd();
  }, [sent, goToEnd]);

  useLayoutEffect(() => {
    if (hasOpened.current && hasOlder && first !== undefined && first < rowsAhead) onOlder();
  }, [first, hasOlder, onOlder]);

  const target = marked && rows.findIndex((row) => rowKey(row) === marked.key);
  useLayoutEffect(() => {
    if (marked === undefined || target === undefined || target < 0) return;
    leaveEnd();
    list.scrollToIndex(target, { align: 'center' });
    // Only when somebody goes there, not when rows arrive.
    // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  }, [marked]);

  return (
    <div className="relative min-h-0 flex-1 print:static">
      <div
        ref={scroller}
        role="log"
        aria-label={t('Conversation')}
        aria-live="off"
        // A region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] outline-offset-[-2px] sm:px-10 print:h-auto print:overflow-visible"
      >
        {isLoadingOlder && (
          <p className="-translate-x-1/2 absolute top-3 left-1/2 z-10 rounded-full border border-line bg-raised px-3 py-1 shadow-sm">
            <Spinner label={t('Loading older messages …')} />
          </p>
        )}
        <div
          ref={content}
          className="relative mx-auto max-w-3xl"
          style={isPrinting ? {} : { height: list.getTotalSize() }}
        >
          {isPrinting
            ? rows.map((row) => (
                <div key={rowKey(row)} className="py-2">
                  <RowView row={row} />
                </div>
              ))
            : shown.map(({ key, index, start }) => {
                const row = rows[index];
                return (
                  row && (
                    <div
                      key={key}
                      data-index={index}
                      ref={list.measureElement}
                      aria-live={row.kind === 'writing' ? 'polite' : undefined}
                      className={classes(
                        'absolute inset-x-0 top-0',
                        row.kind === 'tool' ? 'py-1' : 'py-2',
                        index === target && 'rounded-lg outline-2 outline-accent/50 outline-offset-4',
                      )}
                      style={{ transform: `translateY(${start}px)` }}
                    >
                      <RowView row={row} />
                    </div>
                  )
                );
              })}
        </div>
      </div>
      {!isAtEnd && rows.length > 0 && (
        <Button
          className="-translate-x-1/2 absolute bottom-3 left-1/2 rounded-full! shadow-md print:hidden"
          onClick={goToEnd}
        >
          <ArrowDown size={15} aria-hidden />
          {t('Jump to the end')}
        </Button>
      )}
    </div>
  );
}

function RowView({ row }: { row: Row }) {
  switch (row.kind) {
    case 'writing':
      return <ItemView item={row.item} isWriting />;
    case 'calling':
      return <Spinner label={t('Preparing a tool call …')} />;
    case 'working':
      return <Spinner label={t('Thinking …')} />;
    case 'sent':
      return <SentPromptView prompt={row.prompt} />;
    default:
      return <ItemView item={row} />;
  }
}

const print = window.matchMedia('print');

function useIsPrinting(): boolean {
  return useSyncExternalStore(
    (changed) => {
      print.addEventListener('change', changed);
      return () => print.removeEventListener('change', changed);
    },
    () => print.matches,
  );
}
