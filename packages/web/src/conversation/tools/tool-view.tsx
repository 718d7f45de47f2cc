// A tool call as a card: what it does, its result, and what its subagent did.

import { type Item, type ToolItem, type ToolState } from '@parley/client';
import { type ReactNode, use, useEffect } from 'react';
import { t } from '../../i18n/translate.ts';
import { ToolFactsContext, useConversationControls } from '../context.ts';
import { ItemView } from '../items/item-view.tsx';
import { itemOf, rowKey } from '../rows.ts';
import { describeTool, type ToolShape } from './describe-tool.ts';
import { sizeOfChange } from './patch.ts';
import { type Json, record, text } from './read.ts';
import { ToolInput } from './tool-body.tsx';
import { ToolCard } from './tool-card.tsx';
import { ResultView } from './tool-result.tsx';
import { useToolStatus } from './tool-status.ts';

/** These show at a glance what happened. People can open the others. */
const openAtFirst = new Set<ToolShape>(['command', 'edit', 'todos', 'question', 'plan', 'agent']);

export function ToolView({ item }: { item: ToolItem }) {
  const { tools, workingDir } = use(ToolFactsContext);
  const status = useToolStatus(item.id);
  const state = tools.get(item.id);
  const input = record(item.input);
  const result = state?.text === undefined ? undefined : state;
  const description = describeTool(item.tool, input, workingDir);
  const { shape } = description;
  // Whatever waits for a decision is shown in the permission card.
  const isOpenAtFirst = openAtFirst.has(shape) && status !== 'waiting' && !isPlanElsewhere(shape, input);
  return (
    <ToolCard
      description={description}
      status={status}
      summary={<Summary shape={shape} input={input} result={result} />}
      isOpenAtFirst={isOpenAtFirst}
    >
      <Details shape={shape} input={input} result={result} />
      {shape === 'agent' && <Subagent id={item.id} isOver={result !== undefined} />}
      {result && <ResultView shape={shape} input={input} state={result} status={status} />}
    </ToolCard>
  );
}

/** The program keeps a plan in a separate file, or the model writes it before asking. */
function isPlanElsewhere(shape: ToolShape, input: Json): boolean {
  return shape === 'plan' && text(input['plan']) === undefined;
}

interface PartProps {
  readonly shape: ToolShape;
  readonly input: Json;
  readonly result: ToolState | undefined;
}

function Summary({ shape, input, result }: PartProps): ReactNode {
  const size =
    shape === 'edit' && result?.outcome !== 'failed' ? sizeOfChange(input, result?.details) : undefined;
  if (!size) return null;
  return (
    <span className="tabular-nums">
      {size.added > 0 && <span className="text-good">+{size.added}</span>}{' '}
      {size.removed > 0 && <span className="text-danger">−{size.removed}</span>}
      <span className="sr-only">{t('lines')}</span>
    </span>
  );
}

/** The input, unless the line above or the result already shows it. */
function Details({ shape, input, result }: PartProps) {
  switch (shape) {
    case 'read':
    case 'search':
      return result ? null : <ToolInput shape={shape} input={input} />;
    case 'web': {
      const asked = text(input['prompt']);
      return asked === undefined ? null : (
        <p className="whitespace-pre-wrap break-words px-3 py-2.5 text-soft text-xs">{asked}</p>
      );
    }
    case 'question':
      return result?.outcome === 'finished' ? null : <ToolInput shape={shape} input={input} />;
    case 'command':
    case 'edit':
    case 'todos':
    case 'plan':
    case 'agent':
    case 'other':
      return <ToolInput shape={shape} input={input} details={result?.details} />;
    default:
      return shape satisfies never;
  }
}

const nothing: readonly Item[] = [];

function Subagent({ id, isOver }: { id: string; isOver: boolean }) {
  const { subagents, writing } = use(ToolFactsContext);
  const { conversation } = useConversationControls();
  const items = subagents.get(id) ?? nothing;
  const written = (writing.get(id) ?? []).flatMap((block) => itemOf(block) ?? []);
  const isMissing = isOver && items.length === 0;
  useEffect(() => {
    if (isMissing) void conversation.loadSubagent(id).catch(() => undefined);
  }, [isMissing, conversation, id]);
  if (items.length === 0 && written.length === 0) return null;
  return (
    <section
      aria-label={t('Subagent')}
      className="grid grid-cols-1 gap-3 border-line border-t bg-paper py-3 pr-1 pl-4 text-sm"
    >
      {[...items, ...written].map((item, at) =>
        item.kind === 'prompt' ? null : (
          <ItemView key={rowKey(item)} item={item} isWriting={at >= items.length} />
        ),
      )}
    </section>
  );
}
