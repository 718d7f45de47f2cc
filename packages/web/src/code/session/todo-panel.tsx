// The program's own list of what it has to do.
import type { Todo } from '@parley/protocol';
import { ChevronRight, Circle, CircleCheck, CircleDot, ListTodo } from 'lucide-react';
import { useState } from 'react';
import { classes } from '../../ui/classes.ts';

const marks: Record<Todo['status'], { icon: typeof Circle; words: string; look: string }> = {
  pending: { icon: Circle, words: 'To do', look: 'text-faint' },
  in_progress: { icon: CircleDot, words: 'Under way', look: 'text-accent' },
  completed: { icon: CircleCheck, words: 'Done', look: 'text-good' },
};

export function TodoPanel({ todos }: { todos: readonly Todo[] }) {
  const [chosen, setChosen] = useState<boolean>();
  const done = todos.filter(({ status }) => status === 'completed').length;
  const next =
    todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending');
  if (todos.length === 0) return null;
  // On a phone the conversation needs the room, and what is all done needs none.
  const isOpen = chosen ?? (window.matchMedia('(min-width: 40rem)').matches && done < todos.length);
  return (
    <section aria-label="Todo list" className="rounded-xl border border-line bg-raised text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex w-full items-center gap-2 px-3 py-2 text-left"
      >
        <ListTodo size={16} className="text-accent" aria-hidden />
        <span className="font-medium">
          {done} of {todos.length} done
        </span>
        {!isOpen && next && <span className="min-w-0 truncate text-soft">{next.text}</span>}
        <ChevronRight
          size={15}
          aria-hidden
          className={classes('ml-auto shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <ul className="grid max-h-40 gap-1 overflow-y-auto px-3 pb-2.5">
          {todos.map(({ text, status }, at) => {
            const { icon: Icon, words, look } = marks[status];
            return (
              <li key={at} className="flex items-start gap-2">
                <Icon size={15} className={classes('mt-0.5 shrink-0', look)} aria-hidden />
                <span className="sr-only">{words}: </span>
                <span className={status === 'completed' ? 'text-faint line-through' : ''}>{text}</span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
