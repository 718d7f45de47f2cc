// Warns when the context is nearly full, and offers to compact it.
import type { Conversation, Facts } from '@parley/client';
import { TriangleAlert } from 'lucide-react';
import { i18n, t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { almost } from '../ui/meter.tsx';

export function ContextWarning({
  conversation,
  facts: { contextTokens: tokens, contextWindow: window },
}: {
  conversation: Conversation;
  facts: Facts;
}) {
  if (tokens === undefined || window === undefined || tokens < (window * almost) / 100) return null;
  const share = i18n.number(Math.min(tokens / window, 1), { style: 'percent' });
  return (
    <div
      role="status"
      className="flex items-center gap-2 rounded-xl border border-warn/40 bg-warn-wash py-1 pr-1 pl-3 text-sm text-warn"
    >
      <TriangleAlert size={16} className="shrink-0" aria-hidden />
      <span className="min-w-0 flex-1">{t('The context is {share} full.', { share })}</span>
      <Button look="quiet" onClick={() => conversation.send({ text: '/compact', images: [] })}>
        {t('Compact')}
      </Button>
    </div>
  );
}
