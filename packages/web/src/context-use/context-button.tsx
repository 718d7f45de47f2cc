// How full the context is and what the conversation cost, in its header. Opens the details.
import type { Conversation, Facts } from '@parley/client';
import { Suspense, useState } from 'react';
import { i18n, t } from '../i18n/translate.ts';
import { compact, dollars } from '../ui/amounts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Meter } from '../ui/meter.tsx';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';

const details = preloadable(async () => (await import('./context-details.tsx')).ContextDetails);

export function ContextButton({
  conversation,
  facts: { contextTokens: tokens, contextWindow: window },
  totalTokens,
  costUsd,
  canCompact,
}: {
  conversation: Conversation;
  facts: Facts;
  /** Of all turns together. Shown if the size of the context isn't known. */
  totalTokens: number;
  costUsd: number;
  canCompact: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const share = tokens !== undefined && window !== undefined && window > 0 ? tokens / window : undefined;
  const shownTokens = tokens ?? totalTokens;
  if (shownTokens === 0 && costUsd === 0) return null;
  const percent = share === undefined ? undefined : Math.round(Math.min(share, 1) * 100);
  const used =
    percent === undefined
      ? t('{tokens} tokens', { tokens: compact(shownTokens) })
      : i18n.number(percent / 100, { style: 'percent' });
  const cost = costUsd > 0 ? dollars(costUsd) : undefined;
  return (
    <>
      <button
        type="button"
        title={t('Context and cost')}
        aria-label={[t('Context and cost'), used, cost].filter(Boolean).join(' ')}
        onClick={() => setOpen(true)}
        onPointerEnter={() => void details.preload()}
        className="flex min-h-8 shrink-0 items-center gap-3 whitespace-nowrap rounded-lg px-2 text-faint text-xs tabular-nums hover:bg-sunken hover:text-ink max-sm:flex-col max-sm:items-end max-sm:justify-center max-sm:gap-0.5 max-sm:px-1"
      >
        {percent === undefined ? (
          <span className={cost === undefined ? undefined : 'max-sm:hidden'}>{used}</span>
        ) : (
          <span className="flex items-center gap-1.5">
            <Meter label={t('Context used')} percent={percent} className="w-10 sm:w-14" />
            {used}
          </span>
        )}
        {cost !== undefined && <span>{cost}</span>}
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={t('Context and cost')}>
        <Suspense fallback={<Spinner label={t('Loading …')} />}>
          <details.Part conversation={conversation} canCompact={canCompact} onClose={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
