// The end of a turn: how it went, what it took, and what can be done with its answer.

import type { EndItem, Item } from '@parley/client';
import { totalTokens } from '@parley/protocol';
import { RotateCcw } from 'lucide-react';
import { Fragment } from 'react';
import { t } from '../../i18n/translate.ts';
import { compact, dollars, moment, whole } from '../../ui/amounts.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { useOpenConversation } from '../context.ts';
import { dayAndTime, seconds } from '../times.ts';
import { ItemMenu } from './item-menu.tsx';

export function End({ item }: { item: EndItem }) {
  const { conversation, repeat } = useOpenConversation();
  const retry = repeat?.turnId === item.turnId ? repeat?.send : undefined;
  const failure =
    item.error ?? (item.outcome === 'failed' ? new Error(t('The answer failed. Try again.')) : undefined);
  return (
    <div className="group">
      {failure !== undefined && (
        <div className="mb-2">
          <Refusal error={failure} {...(retry && { onRetry: retry })} />
        </div>
      )}
      <footer className="relative flex min-h-8 items-center gap-1 text-faint text-xs">
        <Facts item={item} />
        <div
          className={classes(
            'flex transition-opacity focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
            !retry && 'opacity-0',
          )}
        >
          <CopyButton
            label={t('Copy the answer')}
            text={() => answerBefore(item, conversation.snapshot().view.items)}
          />
          {retry && failure === undefined && (
            <IconButton label={t('Ask again')} className="size-8" onClick={retry}>
              <RotateCcw size={15} aria-hidden />
            </IconButton>
          )}
        </div>
        {item.at !== undefined && (
          <time
            dateTime={new Date(item.at).toISOString()}
            title={dayAndTime(item.at)}
            className="ml-auto whitespace-nowrap opacity-0 transition-opacity group-hover:opacity-100"
          >
            {moment(item.at, new Date())}
          </time>
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
        // Breaks between them only, never between a number and its unit.
        <Fragment key={at}>
          {at > 0 && ' '}
          <span className="whitespace-nowrap">{at > 0 ? `· ${fact}` : fact}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** The text of an answer, without what was done on the way. */
function answerBefore(end: EndItem, items: readonly Item[]): string {
  const turn = items.slice(0, items.lastIndexOf(end));
  const start = turn.findLastIndex(({ kind }) => kind === 'prompt');
  return turn
    .slice(start + 1)
    .flatMap((item) => (item.kind === 'text' ? [item.text.trim()] : []))
    .join('\n\n');
}
