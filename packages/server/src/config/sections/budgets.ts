// Budgets that only the file can change. Others are set in the app, by people with the right to do so.
import { budgetRuleFields, budgetRuleProblem } from '@parley/protocol';
import { z } from 'zod';
import { setting } from '../setting.ts';

const { scope, subject, period, unit, limit } = budgetRuleFields;

const BudgetEntry = z
  .strictObject({
    scope: setting(scope, {
      meaning: '`everybody`, `person`, `assistant`, `chat` (of a bot) or `session`.',
    }),
    subject: setting(subject, {
      meaning:
        'Whose budget it is: the name of a person or an assistant (`claude-code` is one), the key of a chat, or the id of a session. Without it, each of them has this budget.',
    }),
    period: setting(period, { meaning: '`day` or `month`, in UTC.' }),
    unit: setting(unit, {
      meaning: '`usd`, or `tokens`, which counts all tokens: read, written and cached.',
    }),
    limit: setting(limit, { meaning: 'How much may be spent in the period.' }),
  })
  .superRefine((rule, context) => {
    const problem = budgetRuleProblem(rule);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['subject'], message: problem });
  });

export const budgets = {
  budgets: setting(z.array(BudgetEntry).max(1_000).default([]), {
    meaning:
      'How much may be spent on models. A budget here replaces the one that was set in the app for the same scope, subject, period and unit.',
  }),
};
