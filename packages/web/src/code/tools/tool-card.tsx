// The frame of a tool call: one line that says what is done and how it stands, and the details behind it.
import { ChevronRight, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import type { ToolDescription } from './describe-tool.ts';

export type ToolState = 'running' | 'done' | 'failed' | 'denied' | 'unfinished';

const states: Record<ToolState, { words: string; icon: typeof CircleCheck; look: string }> = {
  running: { words: 'Running', icon: LoaderCircle, look: 'animate-spin text-accent' },
  done: { words: 'Done', icon: CircleCheck, look: 'text-good' },
  failed: { words: 'Failed', icon: CircleX, look: 'text-danger' },
  denied: { words: 'Denied', icon: CircleX, look: 'text-warn' },
  unfinished: { words: 'Did not finish', icon: CircleDashed, look: 'text-faint' },
};

export function ToolCard({
  description: { verb, target, words },
  state,
  isOpenAtFirst,
  children,
}: {
  description: ToolDescription;
  state: ToolState;
  isOpenAtFirst: boolean;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { words: stateWords, icon: Icon, look } = states[state];
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2.5 px-3 py-2 text-left text-sm hover:bg-sunken"
      >
        <Icon size={16} className={classes('shrink-0', look)} aria-hidden />
        <span className="min-w-0 flex-1 truncate">
          <span className="font-medium">{verb}</span>
          {target !== '' && <code className="ml-1.5 font-mono text-soft text-xs">{target}</code>}
          {target === '' && words !== undefined && <span className="ml-1.5 text-soft">{words}</span>}
        </span>
        <span
          className={classes('text-xs', state === 'done' || state === 'running' ? 'sr-only' : 'text-faint')}
        >
          {stateWords}
        </span>
        <ChevronRight
          size={15}
          aria-hidden
          className={classes('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && <div className="border-line border-t">{children}</div>}
    </div>
  );
}
