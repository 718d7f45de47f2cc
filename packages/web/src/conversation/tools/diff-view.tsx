// A change as a diff.

import { useEffect, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { useHighlighting } from '../../ui/code/highlighted-text.tsx';
import { Skeleton } from '../../ui/notes.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { useOpenPart } from '../items/open-parts.tsx';
import { DiffLine } from './diff-line.tsx';
import { languageOf } from './language-of.ts';
import { MoreLines } from './more-lines.tsx';
import { changesOf, type Hunk, numbered, type PatchLine, reportedHunks } from './patch.ts';
import { type Json, text } from './read.ts';

const shownLines = 40;

export function DiffView({ input, details }: { input: Json; details: Json | undefined }) {
  const reported = details && reportedHunks(details);
  const hunks = useHunks(input, reported);
  const [isWhole, setWhole] = useOpenPart('change');
  if (!hunks) return <Skeleton className="m-3 h-16" />;
  const blocks = hunks.map(numbered);
  const count = blocks.reduce((sum, lines) => sum + lines.length, 0);
  const hidden = isWhole ? 0 : count - shownLines;
  const shown = hidden > 0 ? cut(blocks, shownLines) : blocks;
  const language = languageOf(text(input['file_path']) ?? '');
  // Only the program knows where in the file an edit goes; a new file starts with line 1.
  const isPlaced = reported !== undefined || text(input['content']) !== undefined;
  if (count === 0) return <p className="px-3 py-2.5 text-faint text-xs">{t('No changes')}</p>;
  return (
    <div>
      <ScrollBox label={t('Changes')} className="max-h-[60vh] py-1 font-mono text-xs leading-relaxed">
        {shown.map((lines, at) => (
          <Block key={at} lines={lines} language={language} isPlaced={isPlaced} isFirst={at === 0} />
        ))}
      </ScrollBox>
      <MoreLines hidden={hidden} className="m-1" onShow={() => setWhole(true)} />
    </div>
  );
}

function Block({
  lines,
  language,
  isPlaced,
  isFirst,
}: {
  lines: readonly PatchLine[];
  language: string;
  isPlaced: boolean;
  isFirst: boolean;
}) {
  // Each side is valid code on its own; the two together are not.
  const before = useHighlighting(language, sideOf(lines, 'added'), true);
  const after = useHighlighting(language, sideOf(lines, 'removed'), true);
  let beforeAt = 0;
  let afterAt = 0;
  return (
    <div className={classes('w-max min-w-full', !isFirst && 'mt-1 border-line border-t border-dashed pt-1')}>
      {lines.map((line, row) => {
        const highlighted = line.kind === 'removed' ? before[beforeAt] : after[afterAt];
        if (line.kind !== 'added') beforeAt += 1;
        if (line.kind !== 'removed') afterAt += 1;
        const number = isPlaced ? (line.newNumber ?? line.oldNumber) : undefined;
        return <DiffLine key={row} line={line} number={number} colors={highlighted} />;
      })}
    </div>
  );
}

function sideOf(lines: readonly PatchLine[], without: PatchLine['kind']): string {
  return lines.flatMap((line) => (line.kind === without ? [] : [line.text])).join('\n');
}

function useHunks(input: Json, reported: readonly Hunk[] | undefined): readonly Hunk[] | undefined {
  const [made, setMade] = useState<readonly Hunk[]>();
  const isReported = reported !== undefined;
  useEffect(() => {
    if (isReported) return undefined;
    let isStale = false;
    void import('./make-hunks.ts').then(({ makeHunks }) => {
      if (!isStale) setMade(makeHunks(changesOf(input)));
    });
    return () => {
      isStale = true;
    };
  }, [input, isReported]);
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
