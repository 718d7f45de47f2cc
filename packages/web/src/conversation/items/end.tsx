// The end of a turn: its outcome, its cost, and what can be done with its answer.

import type { EndItem, Item, PromptItem } from '@parley/client';
import { totalTokens } from '@parley/protocol';
import { RotateCcw } from 'lucide-react';
import { Fragment } from 'react';
import { t } from '../../i18n/translate.ts';
import { compact, dollars, whole } from '../../ui/amounts.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { useConversationControls } from '../context.ts';
import { seconds } from '../times.ts';
import { ItemMenu } from './item-menu.tsx';
import { Moment } from './moment.tsx';

export function End({ item }: { item: EndItem }) {
  const { conversation, repeat } = useConversationControls();
  const isLast = repeat !== undefined && conversation.snapshot().view.items.at(-1) === item;
  const failure =
    item.error ?? (item.outcome === 'failed' ? new Error(t('The answer failed. Try again.')) : undefined);
  const askAgain = () => {
    const asked = promptBefore(item, conversation.snapshot().view.items);
    if (asked) repeat?.ask(asked);
  };
  return (
    <div className="group">
      {failure !== undefined && (
        <div className="mb-2">
          <ErrorNote error={failure} {...(isLast && repeat.retry && { onRetry: repeat.retry })} />
        </div>
      )}
      <footer className="relative flex min-h-8 items-center gap-1 text-faint text-xs">
        <Facts item={item} />
        <div
          className={classes(
            'flex transition-opacity focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
            !isLast && 'opacity-0',
          )}
        >
          <CopyButton
            label={t('Copy answer')}
            text={() => answerBefore(item, conversation.snapshot().view.items)}
          />
          {repeat?.mayBranch && !(failure && isLast && repeat.retry) && (
            <IconButton label={t('Ask again')} className="size-8" onClick={askAgain}>
              <RotateCcw size={15} aria-hidden />
            </IconButton>
          )}
        </div>
        {item.at !== undefined && (
          <span className="ml-auto">
            <Moment at={item.at} />
          </span>
        )}
        <ItemMenu item={item} />
      </footer>
    </div>
  );
}

function Facts({
  item: { outcome, usage, costUsd = usage.costUsd, durationMs, outputTokens, model },
}: {
  item: EndItem;
}) {
  const tokens = totalTokens(usage);
  const facts = [
    outcome === 'interrupted' && t('Stopped'),
    outputTokens !== undefined && outputTokens > 0
      ? t('{tokens} tokens written', { tokens: whole(outputTokens) })
      : tokens > 0 && t('{tokens} tokens', { tokens: compact(tokens) }),
    costUsd > 0 && dollars(costUsd),
    durationMs !== undefined && seconds(durationMs),
  ].filter(Boolean);
  const detail = [
    t('{tokens} in', { tokens: whole(usage.inputTokens) }),
    t('{tokens} out', { tokens: whole(usage.outputTokens) }),
    t('{tokens} from the cache', { tokens: whole(usage.cacheReadTokens) }),
    t('{tokens} to the cache', { tokens: whole(usage.cacheWriteTokens) }),
    ...(model === undefined ? [] : [model]),
  ];
  return (
    <span className="tabular-nums" title={detail.join(', ')}>
      {facts.map((fact, at) => (
        // Lines break only between facts, never between a number and its unit.
        <Fragment key={at}>
          {at > 0 && ' '}
          <span className="whitespace-nowrap">{at > 0 ? `· ${fact}` : fact}</span>
        </Fragment>
      ))}
    </span>
  );
}

function promptBefore(end: EndItem, items: readonly Item[]): PromptItem | undefined {
  const before = items.slice(0, items.lastIndexOf(end));
  return before.findLast((item): item is PromptItem => item.kind === 'prompt');
}

/** The text of an answer, without tool calls and thinking. */
function answerBefore(end: EndItem, items: readonly Item[]): string {
  const turn = items.slice(0, items.lastIndexOf(end));
  const start = turn.findLastIndex(({ kind }) => kind === 'prompt');
  return turn
    .slice(start + 1)
    .flatMap((item) => (item.kind === 'text' ? [item.text.trim()] : []))
    .join('\n\n');
}
