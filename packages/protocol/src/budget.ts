// Budgets: how much may be spent in a day or a month, by whom or through what.
import { z } from 'zod';
import { PersonName, SessionId } from './ids.ts';

export const BudgetScope = z.enum(['everybody', 'person', 'assistant', 'chat', 'session']);
export type BudgetScope = z.infer<typeof BudgetScope>;

export const BudgetPeriod = z.enum(['day', 'month']);
export type BudgetPeriod = z.infer<typeof BudgetPeriod>;

export const BudgetUnit = z.enum(['usd', 'tokens']);
export type BudgetUnit = z.infer<typeof BudgetUnit>;

const longestSubject = 200;

/** The fields of a rule. `budgetRuleProblem` checks whether the subject fits the scope. */
export const budgetRuleFields = {
  scope: BudgetScope,
  /** Whose spending counts. Without it, each person, assistant, chat or session has this budget separately. */
  subject: z.string().min(1).max(longestSubject).optional(),
  period: BudgetPeriod,
  unit: BudgetUnit,
  /** Dollars or tokens. 0 stops all requests. */
  limit: z.number().nonnegative().max(1e15),
};

/** What is wrong with a rule whose fields are valid; undefined if nothing is. */
export function budgetRuleProblem({ scope, subject }: BudgetRule): string | undefined {
  if (subject === undefined) return undefined;
  if (scope === 'everybody') return 'A budget for everybody has no subject.';
  if (scope === 'person' && !PersonName.safeParse(subject).success)
    return 'This is not the name of a person.';
  if (scope === 'session' && !SessionId.safeParse(subject).success) return 'This is not the id of a session.';
  return undefined;
}

/** There is one rule for each scope, subject, period and unit. */
export const BudgetRule = z.object(budgetRuleFields);
export type BudgetRule = z.infer<typeof BudgetRule>;

/** A rule, and how much of it is used. */
export const Budget = BudgetRule.extend({
  id: z.string(),
  /** Where the rule is set. A rule in the configuration file cannot be changed here. */
  origin: z.enum(['app', 'file']),
  /** In the current period. If each one has this budget separately, the highest amount. */
  spent: z.number(),
  /** The most that running requests may cost. */
  reserved: z.number(),
  percent: z.number(),
  /** Who has spent the most, if each one has this budget separately and somebody has spent anything. */
  highest: z.string().optional(),
  /** What the asking person has spent, if each person has this budget separately and `spent` is somebody else's. */
  own: z.number().optional(),
  /** When the next period starts, in milliseconds since 1970. */
  resetsAt: z.number(),
});
export type Budget = z.infer<typeof Budget>;

export const BudgetOverview = z.object({
  budgets: z.array(Budget),
  /** Whether the person may change them. */
  mayChange: z.boolean(),
  /** Bytes of the person's conversations on the server. */
  storage: z.object({ used: z.number(), limit: z.number() }),
});
export type BudgetOverview = z.infer<typeof BudgetOverview>;
