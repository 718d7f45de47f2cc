// Shows what fills the context of a conversation and what its tokens cost, the largest first.
import type { Conversation } from '@parley/client';
import type { ContextUse, CostPart, SessionContext } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { client } from '../client.ts';
import { i18n, t } from '../i18n/translate.ts';
import { compact, dollars, whole } from '../ui/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Meter } from '../ui/meter.tsx';
import { ErrorNote, Spinner } from '../ui/notes.tsx';

export function ContextDetails({
  conversation,
  canCompact,
  onClose,
}: {
  conversation: Conversation;
  canCompact: boolean;
  onClose: () => void;
}) {
  const report = useQuery({
    queryKey: ['context', conversation.id],
    queryFn: ({ signal }) => client.sessions.context(conversation.id, signal),
    gcTime: 0,
  });
  if (report.isError) return <ErrorNote error={report.error} onRetry={() => void report.refetch()} />;
  if (!report.data) return <Spinner label={t('Loading …')} />;
  const { context } = report.data;
  return (
    <div className="grid gap-6">
      {context ? (
        <Context context={context} />
      ) : (
        <p className="text-soft text-sm">
          {t(
            'Parley can tell what fills the context only while the program is running. Send a message first.',
          )}
        </p>
      )}
      <Costs report={report.data} />
      {canCompact && (
        <div className="grid gap-3">
          <p className="text-soft text-sm">
            {t(
              'Compacting replaces what the model has read with a summary. Later messages cost less, but the model forgets details. The messages stay here.',
            )}
          </p>
          <Button
            look="primary"
            className="justify-self-end"
            onClick={() => {
              // Both engines accept it as a prompt.
              conversation.send({ text: '/compact', images: [] });
              onClose();
            }}
          >
            {t('Compact')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Context({ context: { tokens, window, parts, tools } }: { context: ContextUse }) {
  return (
    <section className="grid gap-2">
      <h3 className="flex items-baseline justify-between gap-3 font-medium text-sm">
        {t('Context')}
        <span className="text-soft text-xs tabular-nums">
          {t('{tokens} of {window} tokens', { tokens: whole(tokens), window: whole(window) })}
        </span>
      </h3>
      <Meter label={t('Context used')} percent={(tokens / Math.max(window, 1)) * 100} className="w-full" />
      <Rows
        rows={parts.map(({ id, name, tokens: own }) => ({
          name: partNames[id]?.() ?? name,
          amount: compact(own),
          share: own / Math.max(tokens, 1),
        }))}
      />
      {tools.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-soft">{t('By tool')}</summary>
          <Rows
            rows={tools.slice(0, 10).map(({ name, tokens: own }) => ({
              name,
              amount: compact(own),
              share: own / Math.max(tokens, 1),
            }))}
          />
        </details>
      )}
    </section>
  );
}

function Costs({ report: { usage, costs } }: { report: SessionContext }) {
  const used = costs.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.costUsd - a.costUsd);
  if (used.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="flex items-baseline justify-between gap-3 font-medium text-sm">
        {t('Cost')}
        <span className="text-soft text-xs tabular-nums">{dollars(usage.costUsd)}</span>
      </h3>
      <Rows
        rows={used.map(({ kind, tokens, costUsd }) => ({
          name: `${costNames[kind]()} · ${t('{tokens} tokens', { tokens: compact(tokens) })}`,
          amount: dollars(costUsd),
          share: usage.costUsd > 0 ? costUsd / usage.costUsd : 0,
        }))}
      />
    </section>
  );
}

interface Row {
  readonly name: string;
  readonly amount: string;
  readonly share: number;
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className="grid gap-1 text-sm">
      {rows.map(({ name, amount, share }) => (
        <li key={name} className="flex items-baseline gap-3 tabular-nums">
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="text-faint text-xs">{i18n.number(share, { style: 'percent' })}</span>
          <span className="w-20 text-right">{amount}</span>
        </li>
      ))}
    </ul>
  );
}

const partNames: Readonly<Record<string, (() => string) | undefined>> = {
  system_prompt: () => t('Instructions'),
  system_tools: () => t('Tools'),
  tools: () => t('Tools'),
  mcp_tools: () => t('MCP tools'),
  mcp_instructions: () => t('MCP server instructions'),
  memory_files: () => t('Memory files'),
  skills: () => t('Skills'),
  custom_agents: () => t('Agents'),
  messages: () => t('Messages'),
  tool_results: () => t('Tool calls and results'),
  files: () => t('Files'),
  pictures: () => t('Pictures'),
};

const costNames: Readonly<Record<CostPart['kind'], () => string>> = {
  input: () => t('Input'),
  output: () => t('Output'),
  cache_read: () => t('Cache reads'),
  cache_write: () => t('Cache writes'),
};
