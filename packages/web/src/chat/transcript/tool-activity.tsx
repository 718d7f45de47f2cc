// What a tool does, in words; it opens to what went in and what came back.
import { ChevronRight, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { ToolPart } from '../model/conversation.ts';
import { toolWords } from '../model/tool-words.ts';

export function ToolActivity({ part }: { part: ToolPart }) {
  const { doing, done } = toolWords(part.tool, part.input);
  const isRunning = part.outcome === 'running';
  // Results can be long: they are drawn for those who look.
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="group/tool my-1 text-sm">
      <summary className="-mx-2 inline-flex max-w-full list-none items-center gap-2 rounded-lg px-2 py-1 text-soft hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <Outcome outcome={part.outcome} />
        <span className="truncate" role={isRunning ? 'status' : undefined}>
          {isRunning ? `${doing} …` : part.outcome === 'failed' ? `${doing} did not work` : done}
        </span>
        {isRunning && part.progress !== undefined && (
          <span className="truncate text-faint">{part.progress}</span>
        )}
        <ChevronRight
          size={14}
          className="shrink-0 text-faint transition-transform group-open/tool:rotate-90"
          aria-hidden
        />
      </summary>
      {isOpen && (
        <div className="mt-1 mb-3 grid gap-3 rounded-card border border-line bg-raised p-3">
          <Block title={part.tool} text={pretty(part.input)} />
          {part.result !== undefined && <Block title="Result" text={part.result} />}
        </div>
      )}
    </details>
  );
}

function Outcome({ outcome }: { outcome: ToolPart['outcome'] }) {
  switch (outcome) {
    case 'running':
      return <LoaderCircle size={15} className="shrink-0 animate-spin text-accent" aria-hidden />;
    case 'finished':
      return <CircleCheck size={15} className="shrink-0 text-good" aria-hidden />;
    case 'failed':
      return <CircleX size={15} className="shrink-0 text-danger" aria-hidden />;
    default:
      return outcome satisfies never;
  }
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 break-all font-mono text-faint text-xs">{title}</p>
      <pre
        tabIndex={0}
        className="max-h-64 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-code p-3 font-mono text-xs leading-relaxed"
      >
        {text}
      </pre>
    </div>
  );
}

/** Long inputs and results stay readable, and cheap to draw. */
const mostShown = 20_000;

function pretty(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? '';
  return text.length > mostShown ? `${text.slice(0, mostShown)}\n…` : text;
}
