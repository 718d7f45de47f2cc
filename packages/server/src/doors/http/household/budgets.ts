// `/api/budgets`: what is left of each budget, and changing them.
import {
  Budget,
  BudgetOverview,
  BudgetRule,
  budgetRuleProblem,
  ErrorBody,
  ParleyError,
  type PersonName,
  say,
} from '@parley/protocol';
import { z } from 'zod';
import type { AuditLog } from '../../../domain/audit-log.ts';
import { limitText } from '../../../domain/budgets.ts';
import type { People } from '../../../domain/people.ts';
import type { Budgets } from '../../../domain/spending.ts';
import type { App } from '../app.ts';
import { responses } from '../openapi/responses.ts';

export interface BudgetServices {
  readonly budgets: Budgets;
  readonly storage: PersonalStorage;
  readonly people: People;
  readonly audit: AuditLog;
}

export interface PersonalStorage {
  /** Bytes that one person may use. */
  readonly limit: number;
  readonly used: (person: PersonName) => Promise<number>;
}

/** A rule's id contains its subject. */
const longestRuleId = 300;
const config = { right: 'budgets' } as const;

export function budgetRoutes(app: App, { budgets, storage, people, audit }: BudgetServices): void {
  app.get(
    '/api/budgets',
    {
      schema: {
        tags: ['usage'],
        summary: 'Budgets, and how much of them is used',
        response: responses(BudgetOverview, ErrorBody),
      },
    },
    async ({ person }) => {
      const mayChange = people.may(person, 'budgets');
      await budgets.refreshAll();
      const own = budgets.list(person);
      return {
        budgets: mayChange ? budgets.list().map((budget) => withOwn(budget, own)) : [...own],
        mayChange,
        storage: { used: await storage.used(person), limit: storage.limit },
      };
    },
  );

  app.put(
    '/api/budgets',
    {
      config,
      schema: {
        tags: ['usage'],
        summary: 'Add or change a budget; applies at once',
        body: BudgetRule,
        response: responses(Budget, ErrorBody),
      },
    },
    async ({ person, body, ip }) => {
      const problem = budgetRuleProblem(body);
      if (problem !== undefined) throw new ParleyError('invalid', problem);
      const budget = await budgets.put(body);
      const detail = limitText(budget);
      audit.record({ action: 'budget.changed', person, subject: budget.id, detail, address: ip });
      return budget;
    },
  );

  app.delete(
    '/api/budgets/:id',
    {
      config,
      schema: {
        tags: ['usage'],
        summary: 'Remove a budget',
        params: z.object({ id: z.string().max(longestRuleId) }),
        response: responses(z.object({ removed: z.literal(true) }), ErrorBody),
      },
    },
    async ({ person, params: { id }, ip }) => {
      if (!(await budgets.remove(id))) throw new ParleyError('not_found', 'There is no such budget.');
      audit.record({ action: 'budget.changed', person, subject: id, detail: say`removed`, address: ip });
      return { removed: true as const };
    },
  );
}

function withOwn(budget: Budget, own: readonly Budget[]): Budget {
  if (budget.scope !== 'person' || budget.highest === undefined) return budget;
  return { ...budget, own: own.find(({ id }) => id === budget.id)?.spent ?? 0 };
}
