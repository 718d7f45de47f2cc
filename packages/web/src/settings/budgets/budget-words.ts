// Budgets in words.
import type { BudgetPeriod, BudgetRule, BudgetUnit } from '@parley/protocol';
import { useAssistantNames } from '../../app/assistants.ts';
import { useHere } from '../../app/me.tsx';
import { useDisplayName } from '../../app/people.ts';
import { t } from '../../i18n/translate.ts';
import { compact, dollars } from '../../ui/amounts.ts';

export function amountOf(unit: BudgetUnit, amount: number): string {
  return unit === 'usd' ? dollars(amount) : t('{tokens} tokens', { tokens: compact(amount) });
}

export function periodName(period: BudgetPeriod): string {
  return period === 'day' ? t('per day') : t('per month');
}

/** Whose spending counts. `isOwn`: a budget for each person is shown with what this person has used. */
export function useBudgetName(): (rule: BudgetRule, isOwn?: boolean) => string {
  const { person } = useHere();
  const nameOf = useDisplayName();
  const assistantName = useAssistantNames();
  return ({ scope, subject }, isOwn = false) => {
    switch (scope) {
      case 'everybody':
        return t('Everybody together');
      case 'person':
        if (subject === person || (isOwn && subject === undefined)) return t('You');
        return subject === undefined ? t('Each person') : nameOf(subject);
      case 'assistant':
        return subject === undefined ? t('Each assistant') : assistantName(subject);
      case 'chat':
        return subject === undefined ? t('Each bot chat') : t('Chat {id}', { id: subject });
      case 'session':
        return subject === undefined ? t('Each session') : t('Session {id}', { id: subject });
      default:
        return scope satisfies never;
    }
  };
}
