// What a tool printed, in its own colors: the first lines right away, the rest on demand.

import type { Picture } from '@parley/client';
import { type CSSProperties, useMemo } from 'react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { useOpenPart } from '../items/open-parts.tsx';
import { MoreLines } from './more-lines.tsx';
import { cutRuns, type StyledRun, styledRuns } from './terminal-output.ts';
import type { TerminalColor, TerminalStyle } from './terminal-style.ts';
import './terminal-colors.css';

const shownLines = 14;
const maxCharacters = 200_000;

export function Output({
  text,
  pictures = [],
  isError = false,
}: {
  text: string;
  pictures?: readonly Picture[];
  isError?: boolean;
}) {
  return (
    <div className="px-3 py-2.5">
      {pictures.map(({ mediaType, data }, at) => (
        <img
          key={at}
          src={`data:${mediaType};base64,${data}`}
          alt={t('Result {number}', { number: at + 1 })}
          className="mb-2 max-h-80 rounded-lg border border-line"
        />
      ))}
      <OutputText text={text} isError={isError} />
    </div>
  );
}

function OutputText({ text, isError }: { text: string; isError: boolean }) {
  const [isWhole, setWhole] = useOpenPart('output');
  const runs = useMemo(() => runsOf(text), [text]);
  const lines = runs
    .map((run) => run.text)
    .join('')
    .split('\n');
  const hidden = isWhole ? 0 : lines.length - shownLines;
  const shown = hidden > 0 ? cutRuns(runs, lines.slice(0, shownLines).join('\n').length) : runs;
  if (lines.every((line) => line.trim() === ''))
    return <p className="text-faint text-xs">{t('No output')}</p>;
  return (
    <>
      <ScrollBox label={t('Output')} className="max-h-[60vh]">
        <pre
          className={classes(
            'whitespace-pre-wrap break-words font-mono text-xs leading-relaxed',
            isError && 'text-danger',
          )}
        >
          {shown.map((run, at) => (
            <Run key={at} run={run} />
          ))}
        </pre>
      </ScrollBox>
      <MoreLines hidden={hidden} className="-ml-2 mt-1" onShow={() => setWhole(true)} />
    </>
  );
}

function runsOf(text: string): readonly StyledRun[] {
  return styledRuns(text.slice(0, maxCharacters).replaceAll(/<\/?tool_use_error>/g, ''));
}

function Run({ run: { text, style } }: { run: StyledRun }) {
  return (
    <span
      className={classes(
        style.isBold && 'font-bold',
        style.isItalic && 'italic',
        style.isUnderlined && 'underline',
      )}
      style={colorsOf(style)}
    >
      {text}
    </span>
  );
}

/** Text on a colored background has the color of paper: the program's own choice may not be legible here. */
function colorsOf({ color, background, isDim, isInverse }: TerminalStyle): CSSProperties {
  const filled = isInverse === true ? (color ?? 'ink') : background;
  if (filled) return { backgroundColor: variable(filled), color: 'var(--raised)' };
  const written = color ?? (isDim === true ? 'gray' : undefined);
  return written ? { color: variable(written) } : {};
}

function variable(color: TerminalColor): string {
  return `var(--terminal-${color})`;
}
