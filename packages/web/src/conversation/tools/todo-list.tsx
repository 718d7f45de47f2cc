// The items of a todo list, each with its status.
import type { Todo } from '@parley/protocol';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';

const marks: Record<Todo['status'], { icon: typeof Circle; words: () => string; look: string }> = {
  pending: { icon: Circle, words: () => t('To do:'), look: 'text-faint' },
  in_progress: { icon: CircleDot, words: () => t('In progress:'), look: 'text-accent' },
  completed: { icon: CircleCheck, words: () => t('Done:'), look: 'text-good' },
};

export function TodoList({ todos, className }: { todos: readonly Todo[]; className: string }) {
  return (
    <ul className={classes('grid gap-1 text-sm', className)}>
      {todos.map(({ text, status }, at) => {
        const { icon: Icon, words, look } = marks[status];
        return (
          <li key={at} className="flex items-start gap-2">
            <Icon size={15} className={classes('mt-0.5 shrink-0', look)} aria-hidden />
            <span className="sr-only">{words()} </span>
            <span className={status === 'completed' ? 'text-faint line-through' : ''}>{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
