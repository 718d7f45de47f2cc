// Text that a tool gave: the beginning at once, the rest on demand.
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import type { ToolResult } from '../model/items.ts';
import { withoutColours } from '../model/plain-text.ts';

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
  const [isWhole, setWhole] = useState(false);
  const plain = withoutColours(text)
    .replaceAll(/<\/?tool_use_error>/g, '')
    .slice(0, mostCharacters);
  const lines = plain.split('\n');
  const hidden = isWhole ? 0 : lines.length - shownLines;
  if (plain.trim() === '') return <p className="text-faint text-xs">No output</p>;
  return (
    <>
      <ScrollBox label="Output" className="max-h-[60vh]">
        <pre
          className={classes(
            'whitespace-pre-wrap break-words font-mono text-xs leading-relaxed',
            isError && 'text-danger',
          )}
        >
          {hidden > 0 ? lines.slice(0, shownLines).join('\n') : plain}
        </pre>
      </ScrollBox>
      {hidden > 0 && (
        <Button look="quiet" className="-ml-2 mt-1 min-h-7 px-2 text-xs" onClick={() => setWhole(true)}>
          Show {hidden} more {hidden === 1 ? 'line' : 'lines'}
        </Button>
      )}
    </>
  );
}
