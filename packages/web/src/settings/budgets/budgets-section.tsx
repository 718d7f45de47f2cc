// How much may be spent, how much of it is used, and by whom. Owners change the limits here.
import type { Budget, BudgetOverview } from '@parley/protocol';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDisplayName } from '../../app/people.ts';
import { get, send } from '../../client.ts';
import { i18n, t } from '../../i18n/translate.ts';
import { bytes, moment } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { almost, Meter } from '../../ui/meter.tsx';
import { Badge, ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { BudgetForm } from './budget-form.tsx';
import { amountOf, periodName, useBudgetName } from './budget-words.ts';
import { LimitForm } from './limit-form.tsx';

const budgetsQuery = queryOptions({
  queryKey: ['settings', 'budgets'],
  queryFn: ({ signal }) => get<BudgetOverview>('/api/budgets', signal),
  // Spending continues while the page is open.
  staleTime: 0,
  refetchInterval: 15_000,
});

type Doing = { readonly what: 'add' } | { readonly what: 'change' | 'remove'; readonly budget: Budget };

export function BudgetsSection() {
  const overview = useQuery(budgetsQuery);
  const queries = useQueryClient();
  const nameOf = useBudgetName();
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const done = () => {
    close();
    void queries.invalidateQueries(budgetsQuery);
  };
  if (overview.isPending) return <Skeleton className="h-72" />;
  if (overview.isError) return <ErrorNote error={overview.error} onRetry={() => void overview.refetch()} />;
  const { budgets, mayChange, storage } = overview.data;
  return (
    <>
      <Card
        title={t('Budgets')}
        hint={t(
          'When a budget is used up, Claude gets no more requests until it resets or an owner raises it.',
        )}
        action={mayChange && <Button onClick={() => setDoing({ what: 'add' })}>{t('New budget')}</Button>}
      >
        {budgets.length === 0 ? (
          <p className="text-faint text-sm">{t('No budgets yet. Spending is not limited.')}</p>
        ) : (
          <ul className="grid divide-y divide-line">
            {budgets.map((budget) => (
              <BudgetRow
                key={budget.id}
                budget={budget}
                mayChange={mayChange}
                onDo={(what) => setDoing({ what, budget })}
              />
            ))}
          </ul>
        )}
      </Card>
      <Storage {...storage} />
      <Dialog open={doing?.what === 'add'} onOpenChange={close} title={t('New budget')}>
        <BudgetForm onCancel={close} onDone={done} />
      </Dialog>
      {doing?.what === 'change' && (
        <Dialog open onOpenChange={close} title={nameOf(doing.budget)}>
          <LimitForm budget={doing.budget} onCancel={close} onDone={done} />
        </Dialog>
      )}
      {doing?.what === 'remove' && (
        <ConfirmDialog
          open
          onClose={close}
          title={t('Remove this budget?')}
          warning={t('The limit of {limit} for “{name}” will no longer apply.', {
            name: nameOf(doing.budget),
            limit: amountOf(doing.budget.unit, doing.budget.limit),
          })}
          action={t('Remove')}
          run={() => send('DELETE', `/api/budgets/${encodeURIComponent(doing.budget.id)}`)}
          onDone={done}
        />
      )}
    </>
  );
}

function BudgetRow({
  budget,
  mayChange,
  onDo,
}: {
  budget: Budget;
  mayChange: boolean;
  onDo: (what: 'change' | 'remove') => void;
}) {
  const { period, unit, limit, spent, own, percent, highest, origin, scope, resetsAt } = budget;
  const nameOf = useBudgetName();
  const personName = useDisplayName();
  const name = nameOf(budget, !mayChange);
  const facts = [
    t('{spent} of {limit}', { spent: amountOf(unit, spent), limit: amountOf(unit, limit) }),
    ...(highest === undefined
      ? []
      : [t('most of it used by {name}', { name: scope === 'person' ? personName(highest) : highest })]),
    ...(own === undefined ? [] : [t('you: {amount}', { amount: amountOf(unit, own) })]),
    t('resets {when}', { when: moment(resetsAt, new Date()) }),
  ];
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span dir="auto" className="min-w-0 break-words font-medium">
          {name}
        </span>
        <Badge>{periodName(period)}</Badge>
        {percent >= 100 && <Badge tone="danger">{t('Used up')}</Badge>}
        {percent >= almost && percent < 100 && <Badge tone="warn">{t('Almost used up')}</Badge>}
        <span className="ml-auto text-soft tabular-nums">
          {i18n.number(Math.floor(percent) / 100, { style: 'percent' })}
        </span>
      </div>
      <Meter label={t('Budget used: {name}', { name })} percent={percent} className="w-full" />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 break-words text-faint text-xs leading-relaxed">
          {facts.join(' · ')}
        </p>
        {origin === 'file' && <Badge>{t('From the configuration file')}</Badge>}
        {mayChange && origin === 'app' && (
          <div className="flex gap-2">
            <Button
              look={percent >= 100 ? 'primary' : 'plain'}
              aria-label={
                percent >= almost
                  ? t('Raise the budget: {name}', { name })
                  : t('Change the budget: {name}', { name })
              }
              onClick={() => onDo('change')}
            >
              {percent >= almost ? t('Raise …') : t('Change …')}
            </Button>
            <Button
              look="quiet"
              aria-label={t('Remove the budget: {name}', { name })}
              onClick={() => onDo('remove')}
            >
              {t('Remove')}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

function Storage({ used, limit }: BudgetOverview['storage']) {
  const percent = limit === 0 ? 100 : (used / limit) * 100;
  return (
    <Card title={t('Your storage')} hint={t('How much space your conversations take up on the server.')}>
      <div className="grid gap-2">
        <Meter label={t('Storage used')} percent={percent} className="w-full" />
        <p className="text-faint text-xs">
          {t('{spent} of {limit}', { spent: bytes(used), limit: bytes(limit) })}
        </p>
        {percent >= almost && (
          <p className="text-sm text-warn">{t('Delete old conversations to make room for new ones.')}</p>
        )}
      </div>
    </Card>
  );
}
