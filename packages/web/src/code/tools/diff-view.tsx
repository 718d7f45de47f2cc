// A change as a diff.
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/notes.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import type { Json } from '../model/read.ts';
import { changesOf, type Hunk, numbered, type PatchLine, reportedHunks } from './patch.ts';

const shownLines = 40;

export function DiffView({ input, details }: { input: Json; details: Json | undefined }) {
  const hunks = useHunks(input, details);
  const [isWhole, setWhole] = useState(false);
  if (!hunks) return <Skeleton className="m-3 h-16" />;
  const blocks = hunks.map(numbered);
  const count = blocks.reduce((sum, lines) => sum + lines.length, 0);
  const hidden = isWhole ? 0 : count - shownLines;
  const shown = hidden > 0 ? cut(blocks, shownLines) : blocks;
  if (count === 0) return <p className="px-3 py-2.5 text-faint text-xs">No changes</p>;
  return (
    <div>
      <ScrollBox label="Changes" className="max-h-[60vh] font-mono text-xs leading-relaxed">
        {shown.map((lines, at) => (
          <div
            key={at}
            className={classes('w-max min-w-full', at > 0 && 'border-line border-t border-dashed')}
          >
            {lines.map((line, row) => (
              <DiffLine key={row} line={line} />
            ))}
          </div>
        ))}
      </ScrollBox>
      {hidden > 0 && (
        <Button look="quiet" className="m-1 min-h-7 px-2 text-xs" onClick={() => setWhole(true)}>
          Show {hidden} more lines
        </Button>
      )}
    </div>
  );
}

const looks: Record<PatchLine['kind'], { row: string; mark: string; words: string }> = {
  same: { row: '', mark: ' ', words: '' },
  added: { row: 'bg-good-wash', mark: '+', words: 'Added: ' },
  removed: { row: 'bg-danger-wash', mark: '−', words: 'Removed: ' },
};

function DiffLine({ line }: { line: PatchLine }) {
  const { row, mark, words } = looks[line.kind];
  return (
    <div className={classes('flex px-3', row)}>
      <span aria-hidden className="w-9 shrink-0 select-none pr-2 text-right text-faint tabular-nums">
        {line.newNumber ?? line.oldNumber}
      </span>
      <span
        aria-hidden
        className={classes(
          'w-4 shrink-0 select-none',
          line.kind === 'added' && 'text-good',
          line.kind === 'removed' && 'text-danger',
        )}
      >
        {mark}
      </span>
      <span className="whitespace-pre">
        {words !== '' && <span className="sr-only">{words}</span>}
        {line.text || ' '}
      </span>
    </div>
  );
}

function useHunks(input: Json, details: Json | undefined): readonly Hunk[] | undefined {
  const reported = details && reportedHunks(details);
  const [made, setMade] = useState<readonly Hunk[]>();
  useEffect(() => {
    if (reported) return undefined;
    let isStale = false;
    void import('./make-hunks.ts').then(({ makeHunks }) => {
      if (!isStale) setMade(makeHunks(changesOf(input)));
    });
    return () => {
      isStale = true;
    };
  }, [input, reported]);
  return reported ?? made;
}

function cut(blocks: readonly (readonly PatchLine[])[], most: number): readonly (readonly PatchLine[])[] {
  let left = most;
  return blocks.flatMap((lines) => {
    const part = lines.slice(0, left);
    left -= part.length;
    return part.length > 0 ? [part] : [];
  });
}
