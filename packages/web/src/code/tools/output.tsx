// Text that a tool gave: the beginning at once, the rest on demand.
import { useMemo } from 'react';
import { classes } from '../../ui/classes.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { useOpenPart } from '../items/open-parts.tsx';
import type { ToolResult } from '../model/items.ts';
import { cutRuns, type StyledRun, styledRuns } from '../model/terminal-text.ts';
import { MoreLines } from './more-lines.tsx';
import { TerminalText } from './terminal-text.tsx';

const shownLines = 14;
const mostCharacters = 200_000;

export function Output({ result }: { result: ToolResult }) {
  return (
    <div className="px-3 py-2.5">
      {result.pictures.map(({ mediaType, data }, at) => (
        <img
          key={at}
          src={`data:${mediaType};base64,${data}`}
          alt={`Result ${at + 1}`}
          className="mb-2 max-h-80 rounded-lg border border-line"
        />
      ))}
      <OutputText text={result.text} isError={result.isError} />
    </div>
  );
}

function OutputText({ text, isError = false }: { text: string; isError?: boolean }) {
  const [isWhole, setWhole] = useOpenPart('output');
  const runs = useMemo(() => runsOf(text), [text]);
  const lines = runs
    .map((run) => run.text)
    .join('')
    .split('\n');
  const hidden = isWhole ? 0 : lines.length - shownLines;
  const shown = hidden > 0 ? cutRuns(runs, lines.slice(0, shownLines).join('\n').length) : runs;
  if (lines.every((line) => line.trim() === '')) return <p className="text-faint text-xs">No output</p>;
  return (
    <>
      <ScrollBox label="Output" className="max-h-[60vh]">
        <pre
          className={classes(
            'whitespace-pre-wrap break-words font-mono text-xs leading-relaxed',
            isError && 'text-danger',
          )}
        >
          <TerminalText runs={shown} />
        </pre>
      </ScrollBox>
      <MoreLines hidden={hidden} className="-ml-2 mt-1" onShow={() => setWhole(true)} />
    </>
  );
}

function runsOf(text: string): readonly StyledRun[] {
  const output = text.slice(0, mostCharacters).replaceAll(/<\/?tool_use_error>/g, '');
  return styledRuns(output);
}
