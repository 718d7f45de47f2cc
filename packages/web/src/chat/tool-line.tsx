// A tool call as one line of text. It opens to show what went in and what came back.

import type { ToolItem } from '@parley/client';
import { CircleCheck, CircleStop, CircleX, LoaderCircle } from 'lucide-react';
import { type ReactNode, use } from 'react';
import { ToolFactsContext } from '../conversation/context.ts';
import { Collapsible } from '../conversation/items/collapsible.tsx';
import { JsonText } from '../conversation/items/json-text.tsx';
import { type ToolStatus, useToolStatus } from '../conversation/tools/tool-status.ts';
import { t } from '../i18n/translate.ts';
import { toolWords } from './tool-words.ts';

export function ToolLine({ item }: { item: ToolItem }) {
  const state = use(ToolFactsContext).tools.get(item.id);
  const status = useToolStatus(item.id);
  const { doing, done } = toolWords(item.tool, item.input);
  const isBusy = status === 'running' || status === 'waiting';
  return (
    <div className="text-sm">
      <Collapsible
        part="tool"
        className="-mx-2 inline-flex max-w-full gap-2 rounded-lg px-2 py-1 text-soft hover:bg-sunken"
        line={
          <>
            <StatusIcon status={status} />
            <span className="truncate" role={isBusy ? 'status' : undefined}>
              {isBusy ? `${doing} …` : wordsFor(status, doing, done)}
            </span>
            {isBusy && state?.progress !== undefined && (
              <span className="truncate text-faint">{state.progress}</span>
            )}
          </>
        }
      >
        <div className="mt-1 mb-3 grid gap-3 rounded-card border border-line bg-raised p-3">
          <Block title={item.tool}>
            <JsonText value={item.input} />
          </Block>
          {state?.text !== undefined && (
            <Block title={t('Result')}>
              <pre
                tabIndex={0}
                className="max-h-64 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-code p-3 font-mono text-xs leading-relaxed"
              >
                {state.text}
              </pre>
            </Block>
          )}
        </div>
      </Collapsible>
    </div>
  );
}

function wordsFor(status: ToolStatus, doing: string, done: string): string {
  if (status === 'done') return done;
  if (status === 'failed') return t('Failed: {doing}', { doing });
  if (status === 'unfinished') return t('Not finished: {doing}', { doing });
  if (status === 'denied') return t('Denied: {doing}', { doing });
  return t('Stopped: {doing}', { doing });
}

function StatusIcon({ status }: { status: ToolStatus }) {
  switch (status) {
    case 'running':
    case 'waiting':
      return <LoaderCircle size={15} className="shrink-0 animate-spin text-accent" aria-hidden />;
    case 'done':
      return <CircleCheck size={15} className="shrink-0 text-good" aria-hidden />;
    case 'denied':
    case 'stopped':
    case 'unfinished':
      return <CircleStop size={15} className="shrink-0 text-faint" aria-hidden />;
    case 'failed':
      return <CircleX size={15} className="shrink-0 text-danger" aria-hidden />;
    default:
      return status satisfies never;
  }
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 break-all font-mono text-faint text-xs">{title}</p>
      {children}
    </div>
  );
}
