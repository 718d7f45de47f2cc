// The rules about budgets: which ones apply to a request, whether it may leave, and the texts that people read. Pure.
import {
  type BudgetPeriod,
  type BudgetRule,
  type BudgetScope,
  type BudgetUnit,
  type PersonName,
  type Sentence,
  type Session,
  type SessionId,
  say,
  type TurnEvent,
  totalTokens,
  type Usage,
} from '@parley/protocol';
import { toUsage } from './prices.ts';

/** Who pays for a request. */
export interface Payer {
  readonly person: PersonName;
  readonly assistant: string;
  readonly session: SessionId;
  /** The chat of a bot that the session belongs to. */
  readonly chat?: string | undefined;
}

export type Amounts = Readonly<Record<BudgetUnit, number>>;

export const noAmounts: Amounts = { usd: 0, tokens: 0 };

/** At this share of a budget, people get a warning. */
const warnAt = 0.8;

export function payerOf({ person, assistant, id, settings }: Session): Payer {
  return { person, assistant, session: id, ...(settings.chat !== undefined && { chat: settings.chat }) };
}

/** There is one rule for each id. */
export function ruleId({ scope, subject, period, unit }: Omit<BudgetRule, 'limit'>): string {
  return [scope, period, unit, ...(scope === 'everybody' ? [] : [subject ?? '*'])].join(':');
}

/** Whose spending counts for the payer in a scope; undefined if the scope doesn't concern them. */
export function subjectOf(payer: Payer, scope: BudgetScope): string | undefined {
  return scope === 'everybody' ? '' : payer[scope];
}

export const scopes: readonly BudgetScope[] = ['everybody', 'person', 'assistant', 'chat', 'session'];
const periods: readonly BudgetPeriod[] = ['day', 'month'];
const units: readonly BudgetUnit[] = ['usd', 'tokens'];

export interface AppliedRule {
  readonly rule: BudgetRule;
  readonly subject: string;
}

/** The rules that apply to the payer. A rule for one subject replaces the rule for every subject. */
export function rulesFor(payer: Payer, rules: ReadonlyMap<string, BudgetRule>): readonly AppliedRule[] {
  if (rules.size === 0) return [];
  return scopes.flatMap((scope) => {
    const subject = subjectOf(payer, scope);
    if (subject === undefined) return [];
    return periods.flatMap((period) =>
      units.flatMap((unit) => {
        const own = rules.get(ruleId({ scope, subject, period, unit }));
        const rule = own ?? rules.get(ruleId({ scope, period, unit }));
        return rule ? [{ rule, subject }] : [];
      }),
    );
  });
}

/**
 * Whether one more request may leave. While requests under way could use up the rest, it waits for them. So spending exceeds
 * a budget by at most one request, and nothing is refused as long as there is money left.
 */
export function verdictOn(limit: number, spent: number, reserved: number): 'go' | 'wait' | 'refuse' {
  if (spent >= limit) return 'refuse';
  return spent + reserved >= limit ? 'wait' : 'go';
}

export function isWarned(limit: number, spent: number): boolean {
  return limit > 0 && spent >= limit * warnAt;
}

export function amountsOf(usage: Usage): Amounts {
  return { usd: usage.costUsd, tokens: totalTokens(usage) };
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens };
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  // Sums of fractions are not exact, so this could end just below zero.
  return { usd: Math.max(0, a.usd - b.usd), tokens: Math.max(0, a.tokens - b.tokens) };
}

/** No model reads more. */
const maxInput = 1_000_000;

/** What a request costs at most. Input that is written to the cache is the most expensive. */
export function maxCost(model: string, tokens: { readonly input: number; readonly output: number }): Amounts {
  const cacheWrite = Math.min(Math.ceil(tokens.input), maxInput);
  return amountsOf(toUsage(model, { input: 0, cacheRead: 0, cacheWrite, output: tokens.output }));
}

export interface PeriodTimes {
  /** `2026-11-17` for a day and `2026-11` for a month, in UTC. */
  readonly name: string;
  readonly endsAt: number;
}

export function periodAt(now: number, period: BudgetPeriod): PeriodTimes {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const text = date.toISOString();
  return period === 'day'
    ? { name: text.slice(0, 10), endsAt: Date.UTC(year, month, date.getUTCDate() + 1) }
    : { name: text.slice(0, 7), endsAt: Date.UTC(year, month + 1) };
}

/** What a person reads when a budget is used up. */
export function usedUpText(applied: AppliedRule, spentSoFar: number, now: number): Sentence {
  const { budget, spent, limit, day } = partsOf(applied, spentSoFar, now);
  return say`${budget} is used up: ${spent} of ${limit}. It resets on ${day} at 00:00 UTC. An owner can raise it in the settings.`;
}

/** What a person reads once most of a budget is used. */
export function warningText(applied: AppliedRule, spentSoFar: number, now: number): Sentence {
  const { budget, spent, limit, day } = partsOf(applied, spentSoFar, now);
  const percent = Math.floor((spentSoFar / applied.rule.limit) * 100);
  return say`${budget} is ${percent} % used: ${spent} of ${limit}. It resets on ${day} at 00:00 UTC.`;
}

export function budgetNotice(warning: string): TurnEvent {
  return { type: 'notice', code: 'budget', message: warning, tone: 'warn' };
}

export function limitText({ unit, limit }: Pick<BudgetRule, 'unit' | 'limit'>): Sentence {
  return unit === 'usd' ? say`${dollars(limit)}` : say`${limit.toLocaleString('en')} tokens`;
}

function partsOf(applied: AppliedRule, spent: number, now: number) {
  const { unit, period } = applied.rule;
  const day = new Date(periodAt(now, period).endsAt);
  return {
    budget: nameOf(applied),
    spent: unit === 'usd' ? dollars(spent) : Math.round(spent).toLocaleString('en'),
    limit: limitText(applied.rule),
    day: day.toLocaleDateString('en', { month: 'long', day: 'numeric', timeZone: 'UTC' }),
  };
}

function nameOf({ rule: { scope, period }, subject }: AppliedRule): string {
  const isDaily = period === 'day';
  switch (scope) {
    case 'everybody':
      return isDaily ? say`The daily budget for everybody` : say`The monthly budget for everybody`;
    case 'session':
      return isDaily ? say`The daily budget for this session` : say`The monthly budget for this session`;
    case 'chat':
      return isDaily ? say`The daily budget for this chat` : say`The monthly budget for this chat`;
    case 'person':
    case 'assistant':
      return isDaily ? say`The daily budget for ${subject}` : say`The monthly budget for ${subject}`;
    default:
      return scope satisfies never;
  }
}

function dollars(value: number): string {
  const digits = value < 1 ? 4 : 2;
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}
