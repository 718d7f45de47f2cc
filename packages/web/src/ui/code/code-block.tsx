// Code in an answer: its words at once, its colours when they are there. A line that has not changed is not drawn
// again, however long the block grows.
import { type ComponentProps, memo, type ReactNode } from 'react';
import { Block, type BlockProps, useIsCodeFenceIncomplete } from 'streamdown';
import { t } from '../../i18n/translate.ts';
import { CopyButton } from '../copy-button.tsx';
import { ScrollBox } from '../scroll-box.tsx';
import type { ColouredLine } from './colour-wire.ts';
import { ColouredText, useColours } from './coloured-text.tsx';
import { type FencedCode, fencedCode, withoutLastBreaks } from './fenced-code.ts';

/** A block of an answer, which may be code as a whole. */
export const AnswerBlock = memo(function AnswerBlock(block: BlockProps) {
  const fenced = fencedCode(block.content);
  return fenced ? <CodeBlock {...fenced} /> : <Block {...block} />;
});

/** Code inside something else, such as a list. */
export function InnerCode({ className = '', children }: ComponentProps<'code'>) {
  const isComplete = !useIsCodeFenceIncomplete();
  const language = /language-(\S+)/.exec(className)?.[1] ?? '';
  return (
    <CodeBlock language={language} code={withoutLastBreaks(wordsOf(children))} isComplete={isComplete} />
  );
}

function CodeBlock({ language, code, isComplete }: FencedCode) {
  const coloured = useColours(language.toLowerCase(), code, isComplete);
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
          <code className="coloured">
            {lines.map((text, at) => (
              <Line key={at} text={text} coloured={coloured[at]} isLast={at === lines.length - 1} />
            ))}
          </code>
        </pre>
      </ScrollBox>
    </div>
  );
}

const Line = memo(function Line({
  text,
  coloured,
  isLast,
}: {
  text: string;
  coloured: ColouredLine | undefined;
  isLast: boolean;
}) {
  return (
    // A block of its own: one that grows does not make the browser arrange all others anew.
    <span className="block">
      <ColouredText text={text} coloured={coloured} />
      {!isLast && '\n'}
    </span>
  );
});

function wordsOf(children: ReactNode): string {
  if (typeof children === 'string') return children;
  return Array.isArray(children) ? children.map(wordsOf).join('') : '';
}
