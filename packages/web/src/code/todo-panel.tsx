// The todo list that the program keeps.
import type { Todo } from '@parley/protocol';
import { ChevronRight, ListTodo } from 'lucide-react';
import { useState } from 'react';
import { TodoList } from '../conversation/tools/todo-list.tsx';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';

export function TodoPanel({ todos }: { todos: readonly Todo[] }) {
  const [chosen, setChosen] = useState<boolean>();
  const done = todos.filter(({ status }) => status === 'completed').length;
  const next =
    todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending');
  if (todos.length === 0) return null;
  // On a phone the conversation needs the space, and a finished list needs none.
  const isOpen = chosen ?? (window.matchMedia('(min-width: 40rem)').matches && done < todos.length);
  return (
    <section aria-label={t('Todo list')} className="rounded-xl border border-line bg-raised text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex w-full items-center gap-2 px-3 py-2 text-left"
      >
        <ListTodo size={16} className="text-accent" aria-hidden />
        <span className="font-medium">{t('{done} of {count} done', { done, count: todos.length })}</span>
        {!isOpen && next && <span className="min-w-0 truncate text-soft">{next.text}</span>}
        <ChevronRight
          size={15}
          aria-hidden
          className={classes('ml-auto shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && <TodoList todos={todos} className="max-h-40 overflow-y-auto px-3 pb-2.5" />}
    </section>
  );
}
