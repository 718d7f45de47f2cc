// The lines of a text file with their numbers. Renders only those in view.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { languageOf } from '../conversation/tools/language-of.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { HighlightedText, useHighlighting } from '../ui/code/highlighted-text.tsx';

const lineHeight = 20;
/** The rest of a longer line is not shown: browsers take seconds to lay it out. */
const longestLine = 4_000;

export function TextView({
  path,
  text,
  line,
  onEnd,
}: {
  path: string;
  text: string;
  /** The line to go to. */
  line: number | undefined;
  /** Called when somebody reaches the last lines, or wants a later one. */
  onEnd: (() => void) | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split('\n'), [text]);
  const highlighted = useHighlighting(languageOf(path), text, onEnd === undefined);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    paddingStart: 8,
    paddingEnd: 8,
    useFlushSync: false,
  });
  const isMissing = line !== undefined && line > lines.length;
  useEffect(() => {
    if (line !== undefined && !isMissing) list.scrollToIndex(line - 1, { align: 'center' });
  }, [line, isMissing, list]);
  const shown = list.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isAtEnd = last >= lines.length - 40;
  useEffect(() => {
    if (isMissing || isAtEnd) onEnd?.();
  }, [isMissing, isAtEnd, onEnd]);
  const digits = `${String(lines.length).length + 2}ch`;
  return (
    <div
      ref={scroller}
      role="group"
      aria-label={t('File content')}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto overscroll-contain bg-code font-mono text-xs outline-offset-[-2px]"
    >
      <div className="highlighted relative w-max min-w-full" style={{ height: list.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const whole = lines[index] ?? '';
          const cut = whole.length > longestLine;
          const content = (cut ? whole.slice(0, longestLine) : whole).replace(/\r$/, '');
          return (
            <div
              key={index}
              aria-current={index + 1 === line ? 'location' : undefined}
              className={classes(
                'absolute top-0 left-0 flex min-w-full whitespace-pre pr-4 leading-5',
                index + 1 === line && 'bg-warn-wash',
              )}
              style={{ transform: `translateY(${start}px)`, height: lineHeight }}
            >
              <span
                aria-hidden
                className="sticky left-0 shrink-0 select-none bg-inherit pr-2 text-right text-faint"
                style={{ width: digits }}
              >
                {index + 1}
              </span>
              <code>
                <HighlightedText text={content || ' '} highlighted={cut ? undefined : highlighted[index]} />
                {cut && <span className="text-faint"> …</span>}
              </code>
            </div>
          );
        })}
      </div>
    </div>
  );
}
