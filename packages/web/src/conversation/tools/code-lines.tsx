// Numbered lines of a file: the first ones at once, the rest on demand.
import { t } from '../../i18n/translate.ts';
import { HighlightedText, useHighlighting } from '../../ui/code/highlighted-text.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { useOpenPart } from '../items/open-parts.tsx';
import { MoreLines } from './more-lines.tsx';
import type { NumberedLine } from './read-output.ts';

const shownLines = 20;

export function CodeLines({
  lines,
  language,
  path = '',
}: {
  lines: readonly NumberedLine[];
  language: string;
  /** Distinguishes it from others in the same result. */
  path?: string;
}) {
  const [isWhole, setWhole] = useOpenPart(`lines ${path}`);
  const hidden = isWhole ? 0 : lines.length - shownLines;
  const shown = hidden > 0 ? lines.slice(0, shownLines) : lines;
  const highlighted = useHighlighting(language, shown.map(({ text }) => text).join('\n'), true);
  return (
    <>
      <ScrollBox label={t('Lines')} className="max-h-[60vh] py-2 font-mono text-xs leading-relaxed">
        <div className="w-max min-w-full">
          {shown.map(({ number, text }, at) => (
            <div key={at} className="flex px-3">
              <span
                aria-hidden
                className="min-w-9 shrink-0 select-none pr-3 text-right text-faint tabular-nums"
              >
                {number}
              </span>
              <code className="highlighted whitespace-pre">
                <HighlightedText text={text || ' '} highlighted={highlighted[at]} />
              </code>
            </div>
          ))}
        </div>
      </ScrollBox>
      <MoreLines hidden={hidden} className="m-1 mt-0" onShow={() => setWhole(true)} />
    </>
  );
}
