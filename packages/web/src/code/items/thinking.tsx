// What the model thought, folded away.
import { Brain, ChevronRight } from 'lucide-react';
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
        {isLive ? 'Thinking …' : 'Thought'}
        <ChevronRight
          size={14}
          aria-hidden
          className={classes('transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <p className="mt-1 ml-1.5 whitespace-pre-wrap break-words border-line border-l-2 pl-4 leading-relaxed">
          {text}
        </p>
      )}
    </div>
  );
}
