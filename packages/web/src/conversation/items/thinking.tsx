// What the model thought, collapsed.

import { Brain } from 'lucide-react';
import { t } from '../../i18n/translate.ts';
import { Collapsible } from './collapsible.tsx';

export function Thinking({ text, isLive = false }: { text: string; isLive?: boolean }) {
  return (
    <div className="text-soft text-sm">
      <Collapsible
        part="thought"
        className="-ml-1 inline-flex gap-1.5 rounded-md px-1 py-0.5 hover:text-ink"
        line={
          <>
            <Brain size={15} aria-hidden className={isLive ? 'animate-pulse text-accent' : ''} />
            {isLive ? t('Thinking …') : t('Thoughts')}
          </>
        }
      >
        <p
          dir="auto"
          className="mt-1 ms-1.5 whitespace-pre-wrap break-words border-line border-s-2 ps-4 leading-relaxed"
        >
          {text}
        </p>
      </Collapsible>
    </div>
  );
}
