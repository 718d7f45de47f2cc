// One line of a diff: its number, whether it was added or removed, and its text.
import { memo } from 'react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import type { HighlightedLine } from '../../ui/code/highlight-wire.ts';
import { HighlightedText } from '../../ui/code/highlighted-text.tsx';
import type { PatchLine } from './patch.ts';

const looks: Record<PatchLine['kind'], { row: string; mark: string; sign: string; words?: () => string }> = {
  same: { row: '', mark: '', sign: ' ' },
  added: { row: 'bg-good-wash', mark: 'text-good', sign: '+', words: () => t('Added:') },
  removed: { row: 'bg-danger-wash', mark: 'text-danger', sign: '−', words: () => t('Removed:') },
};

export const DiffLine = memo(function DiffLine({
  line: { kind, text },
  number,
  colors,
  wraps = false,
}: {
  line: PatchLine;
  /** Undefined if its place in the file isn't known. */
  number: number | undefined;
  colors: HighlightedLine | undefined;
  /** Otherwise what contains it scrolls sideways. */
  wraps?: boolean;
}) {
  const { row, mark, sign, words } = looks[kind];
  return (
    <div className={classes('flex', wraps ? 'min-w-0 pr-2' : 'px-3', row)}>
      {number !== undefined && (
        <span
          aria-hidden
          className={classes(
            'shrink-0 select-none pr-2 text-right text-faint tabular-nums',
            wraps ? 'w-11' : 'w-9',
          )}
        >
          {number}
        </span>
      )}
      <span aria-hidden className={classes('w-4 shrink-0 select-none', mark)}>
        {sign}
      </span>
      <code
        className={classes(
          'highlighted',
          wraps ? 'min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
        )}
      >
        {words && <span className="sr-only">{words()} </span>}
        <HighlightedText text={text || ' '} highlighted={colors} />
      </code>
    </div>
  );
});
