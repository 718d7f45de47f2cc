// What the model thought, collapsed.

import { Brain, ChevronRight } from 'lucide-react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { useOpenPart } from './open-parts.tsx';

export function Thinking({ text, isLive = false }: { text: string; isLive?: boolean }) {
  const [isOpen, setOpen] = useOpenPart('thought');
  return (
    <div className="text-soft text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-ml-1 inline-flex items-center gap-1.5 rounded-md px-1 py-0.5 hover:text-ink"
      >
        <Brain size={15} aria-hidden className={isLive ? 'animate-pulse text-accent' : ''} />
        {isLive ? t('Thinking …') : t('Thoughts')}
        <ChevronRight
          size={14}
          aria-hidden
          className={classes('transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <p
          dir="auto"
          className="mt-1 ms-1.5 whitespace-pre-wrap break-words border-line border-s-2 ps-4 leading-relaxed"
        >
          {text}
        </p>
      )}
    </div>
  );
}
