// Code in an answer: plain at first, highlighted when the worker has answered. Unchanged lines aren't rendered again,
// no matter how long the block gets.
import { type ComponentProps, memo, type ReactNode } from 'react';
import { Block, type BlockProps, useIsCodeFenceIncomplete } from 'streamdown';
import { t } from '../../i18n/translate.ts';
import { CopyButton } from '../copy-button.tsx';
import { ScrollBox } from '../scroll-box.tsx';
import { type FencedCode, fencedCode, withoutLastBreaks } from './fenced-code.ts';
import type { HighlightedLine } from './highlight-wire.ts';
import { HighlightedText, useHighlighting } from './highlighted-text.tsx';

/** A block of an answer, which may be all code. */
export const AnswerBlock = memo(function AnswerBlock(block: BlockProps) {
  const fenced = fencedCode(block.content);
  return fenced ? <CodeBlock {...fenced} /> : <Block {...block} />;
});

/** Code inside something else, such as a list. */
export function InnerCode({ className = '', children }: ComponentProps<'code'>) {
  const isComplete = !useIsCodeFenceIncomplete();
  const language = /language-(\S+)/.exec(className)?.[1] ?? '';
  return <CodeBlock language={language} code={withoutLastBreaks(textOf(children))} isComplete={isComplete} />;
}

function CodeBlock({ language, code, isComplete }: FencedCode) {
  const highlighted = useHighlighting(language.toLowerCase(), code, isComplete);
  const lines = code.split('\n');
  return (
    <div data-language={language} className="relative my-3 rounded-xl border border-line bg-code">
      <div className="absolute top-1 right-1">
        <CopyButton label={t('Copy code')} text={() => code} />
      </div>
      {language !== '' && (
        <div className="flex h-8 items-center px-3.5 font-mono text-faint text-xs">{language}</div>
      )}
      <ScrollBox label={t('Code')} className={language === '' ? 'py-3' : 'pt-1 pb-3.5'}>
        <pre className="w-fit min-w-full px-3.5 font-mono text-[0.8125rem] leading-relaxed">
          <code className="highlighted">
            {lines.map((text, at) => (
              <Line key={at} text={text} highlighted={highlighted[at]} isLast={at === lines.length - 1} />
            ))}
          </code>
        </pre>
      </ScrollBox>
    </div>
  );
}

const Line = memo(function Line({
  text,
  highlighted,
  isLast,
}: {
  text: string;
  highlighted: HighlightedLine | undefined;
  isLast: boolean;
}) {
  return (
    // `block`, so that a growing line doesn't make the browser lay out all others again.
    <span className="block">
      <HighlightedText text={text} highlighted={highlighted} />
      {!isLast && '\n'}
    </span>
  );
});

function textOf(children: ReactNode): string {
  if (typeof children === 'string') return children;
  return Array.isArray(children) ? children.map(textOf).join('') : '';
}
