// The details of a tool call, by what it does. The same forms show what a tool wants to do when it asks first.
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { ReactNode } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { JsonText } from '../items/json-text.tsx';
import { type Json, records, text } from '../model/read.ts';
import type { ToolShape } from './describe-tool.ts';
import { DiffView } from './diff-view.tsx';

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
      return <Todos todos={records(input['todos'])} />;
    case 'plan':
      return (
        <Part>
          <Markdown>{text(input['plan']) ?? 'The plan is in the message above.'}</Markdown>
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
      <ScrollBox label="Command" className="max-h-60">
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

const todoIcons = { completed: CircleCheck, in_progress: CircleDot, pending: Circle };

function Todos({ todos }: { todos: readonly Json[] }) {
  return (
    <ul className="grid gap-1 px-3 py-2.5 text-sm">
      {todos.map((todo, at) => {
        const status = text(todo['status']) ?? 'pending';
        const Icon = todoIcons[status as keyof typeof todoIcons] ?? Circle;
        return (
          <li key={at} className="flex items-start gap-2">
            <Icon size={15} aria-label={status.replace('_', ' ')} className="mt-0.5 shrink-0 text-accent" />
            <span className={status === 'completed' ? 'text-faint line-through' : ''}>
              {text(todo['content'])}
            </span>
          </li>
        );
      })}
    </ul>
  );
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
      <p className="mb-1 text-faint text-xs">{text(input['subagent_type']) ?? 'Subagent'}</p>
      <ScrollBox label="Prompt of the subagent" className="max-h-60 whitespace-pre-wrap break-words text-sm">
        {text(input['prompt'])}
      </ScrollBox>
    </Part>
  );
}
