// The transcript: opens at its end, follows new words while one is there, and reads older pages as one scrolls up.
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, RotateCcw, X } from 'lucide-react';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Spinner } from '../../ui/notes.tsx';
import { ItemView, PromptBubble } from '../items/item-view.tsx';
import { Thinking } from '../items/thinking.tsx';
import type { PartialBlock } from '../model/items.ts';
import { type SentPrompt, wordsOf } from '../model/sent-prompts.ts';
import { describeTool } from '../tools/describe-tool.ts';
import { estimateHeight } from './estimate-height.ts';
import type { Row } from './rows.ts';
import { useFollowEnd } from './use-follow-end.ts';

/** Older messages are read before one reaches the first. */
const rowsAhead = 12;

export function TranscriptList({
  rows,
  isLoadingOlder,
  hasOlder,
  onOlder,
  onRetry,
  onDiscard,
}: {
  rows: readonly Row[];
  isLoadingOlder: boolean;
  hasOlder: boolean;
  onOlder: () => void;
  onRetry: (key: string) => void;
  onDiscard: (key: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const hasOpened = useRef(false);
  const { isAtEnd, goToEnd } = useFollowEnd(scroller, content);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 6,
    // What is drawn first is the end, not the beginning of which nothing will be seen.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => rows.reduce((sum, row) => sum + estimateHeight(row), -window.innerHeight),
    // Rows that come in above what one reads do not move it. The browser's own way of that would do it twice.
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

  // Whoever sends something wants to see what becomes of it.
  const sent = rows.findLast((row) => row.type === 'sent')?.key;
  useLayoutEffect(() => {
    if (sent !== undefined) goToEnd();
  }, [sent, goToEnd]);

  useLayoutEffect(() => {
    if (hasOpened.current && hasOlder && first !== undefined && first < rowsAhead) onOlder();
  }, [first, hasOlder, onOlder]);

  return (
    <div className="relative min-h-0 flex-1">
      <h2 className="sr-only">Conversation</h2>
      <div
        ref={scroller}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // A region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain px-3 [overflow-anchor:none] outline-offset-[-2px] sm:px-10"
      >
        {isLoadingOlder && (
          <p className="-translate-x-1/2 absolute top-3 left-1/2 z-10 rounded-full border border-line bg-raised px-3 py-1 shadow-sm">
            <Spinner label="Reading older messages …" />
          </p>
        )}
        <div ref={content} className="relative mx-auto max-w-3xl" style={{ height: list.getTotalSize() }}>
          {shown.map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  data-index={index}
                  ref={list.measureElement}
                  className={classes('absolute inset-x-0 top-0', isCall(row) ? 'py-1' : 'py-2')}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <RowView row={row} onRetry={onRetry} onDiscard={onDiscard} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {!isAtEnd && rows.length > 0 && (
        <IconButton
          label="Go to the end"
          look="plain"
          onClick={goToEnd}
          className="absolute right-5 bottom-4 rounded-full shadow-lg"
        >
          <ArrowDown size={17} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

/** Calls follow each other closely. */
function isCall(row: Row): boolean {
  return row.type === 'item' && row.item.kind === 'tool';
}

function RowView({
  row,
  onRetry,
  onDiscard,
}: {
  row: Row;
  onRetry: (key: string) => void;
  onDiscard: (key: string) => void;
}) {
  switch (row.type) {
    case 'item':
      return <ItemView item={row.item} />;
    case 'partial':
      return <Partial block={row.block} />;
    case 'sent':
      return <Sent prompt={row.prompt} onRetry={onRetry} onDiscard={onDiscard} />;
    default:
      return row satisfies never;
  }
}

function Partial({ block }: { block: PartialBlock }) {
  if (block.kind === 'text') {
    return <Markdown isStreaming>{block.text}</Markdown>;
  }
  if (block.kind === 'thinking') return <Thinking text={block.text} isLive />;
  const { verb } = describeTool(block.tool ?? 'Tool', {}, undefined);
  return <Spinner label={`${verb} …`} />;
}

function Sent({
  prompt,
  onRetry,
  onDiscard,
}: {
  prompt: SentPrompt;
  onRetry: (key: string) => void;
  onDiscard: (key: string) => void;
}) {
  return (
    <div className="flex flex-col items-end gap-1.5 pt-3">
      <PromptBubble text={wordsOf(prompt.content)} isFaint />
      {prompt.hasFailed && (
        <div className="flex items-center gap-1">
          <span className="mr-1 text-danger text-xs">Not sent</span>
          <Button look="quiet" className="min-h-7 px-2 text-xs" onClick={() => onRetry(prompt.key)}>
            <RotateCcw size={13} aria-hidden />
            Send again
          </Button>
          <Button look="quiet" className="min-h-7 px-2 text-xs" onClick={() => onDiscard(prompt.key)}>
            <X size={13} aria-hidden />
            Discard
          </Button>
        </div>
      )}
    </div>
  );
}
