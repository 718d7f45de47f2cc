// The details of a tool call. The permission card shows them too.

import type { Todo } from '@parley/protocol';
import type { ReactNode } from 'react';
import { t } from '../../i18n/translate.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { JsonText } from '../items/json-text.tsx';
import type { ToolShape } from './describe-tool.ts';
import { DiffView } from './diff-view.tsx';
import { type Json, records, text } from './read.ts';
import { TodoList } from './todo-list.tsx';

export function ToolInput({
  shape,
  input,
  details,
}: {
  shape: ToolShape;
  input: Json;
  details?: Json | undefined;
}) {
  switch (shape) {
    case 'command':
      return <Command command={text(input['command']) ?? ''} />;
    case 'edit':
      return <DiffView input={input} details={details} />;
    case 'todos':
      return <TodoList todos={todosOf(input)} className="px-3 py-2.5" />;
    case 'plan':
      return (
        <Part>
          <Markdown>{text(input['plan']) ?? t('The plan is in the message above.')}</Markdown>
        </Part>
      );
    case 'question':
      return <Questions input={input} />;
    case 'agent':
      return <Task input={input} />;
    case 'web':
      return <Fields input={input} />;
    case 'read':
    case 'search':
    case 'other':
      return Object.keys(input).length > 0 ? <Fields input={input} /> : null;
    default:
      return shape satisfies never;
  }
}

export function Part({ children }: { children: ReactNode }) {
  return <div className="px-3 py-2.5">{children}</div>;
}

function Command({ command }: { command: string }) {
  return (
    <Part>
      <ScrollBox label={t('Command')} className="max-h-60">
        <pre className="whitespace-pre-wrap break-words font-mono text-xs leading-relaxed">
          <span aria-hidden className="select-none text-accent">
            ${' '}
          </span>
          {command}
        </pre>
      </ScrollBox>
    </Part>
  );
}

/** Short values as a table, others as JSON. */
function Fields({ input }: { input: Json }) {
  const entries = Object.entries(input);
  const isSimple = entries.every(([, value]) => typeof value !== 'object');
  if (!isSimple) {
    return (
      <Part>
        <JsonText value={input} />
      </Part>
    );
  }
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 px-3 py-2.5 text-xs">
      {entries.map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="text-faint">{key.replaceAll('_', ' ')}</dt>
          <dd className="min-w-0 whitespace-pre-wrap break-words font-mono">
            <ScrollBox label={key} className="max-h-40">
              {String(value)}
            </ScrollBox>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function todosOf(input: Json): readonly Todo[] {
  return records(input['todos']).map((todo) => {
    const status = text(todo['status']);
    return {
      text: text(todo['content']) ?? '',
      status: status === 'completed' || status === 'in_progress' ? status : 'pending',
    };
  });
}

function Questions({ input }: { input: Json }) {
  return (
    <Part>
      <ul className="grid gap-1 text-sm">
        {records(input['questions']).map((question, at) => (
          <li key={at}>{text(question['question'])}</li>
        ))}
      </ul>
    </Part>
  );
}

function Task({ input }: { input: Json }) {
  return (
    <Part>
      <p className="mb-1 text-faint text-xs">{text(input['subagent_type']) ?? t('Subagent')}</p>
      <ScrollBox label={t('Subagent prompt')} className="max-h-60 whitespace-pre-wrap break-words text-sm">
        {text(input['prompt'])}
      </ScrollBox>
    </Part>
  );
}
