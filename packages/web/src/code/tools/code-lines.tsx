// Numbered lines of a file: the first ones at once, the rest on demand.
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ColouredText, useColours } from '../../ui/code/coloured-text.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import type { NumberedLine } from './read-output.ts';

const shownLines = 20;

export function CodeLines({ lines, language }: { lines: readonly NumberedLine[]; language: string }) {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : lines.length - shownLines;
  const shown = hidden > 0 ? lines.slice(0, shownLines) : lines;
  const coloured = useColours(language, shown.map(({ text }) => text).join('\n'), true);
  return (
    <>
      <ScrollBox label="Lines" className="max-h-[60vh] py-2 font-mono text-xs leading-relaxed">
        <div className="w-max min-w-full">
          {shown.map(({ number, text }, at) => (
            <div key={at} className="flex px-3">
              <span
                aria-hidden
                className="min-w-9 shrink-0 select-none pr-3 text-right text-faint tabular-nums"
              >
                {number}
              </span>
              <code className="coloured whitespace-pre">
                <ColouredText text={text || ' '} coloured={coloured[at]} />
              </code>
            </div>
          ))}
        </div>
      </ScrollBox>
      {hidden > 0 && (
        <Button look="quiet" className="m-1 mt-0 min-h-7 px-2 text-xs" onClick={() => setWhole(true)}>
          Show {hidden} more {hidden === 1 ? 'line' : 'lines'}
        </Button>
      )}
    </>
  );
}
