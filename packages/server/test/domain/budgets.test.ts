import type { BudgetRule } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  isWarned,
  maxCost,
  type Payer,
  periodAt,
  ruleId,
  rulesFor,
  usedUpText,
  verdictOn,
  warningText,
} from '../../src/domain/budgets.ts';
import { toUsage } from '../../src/domain/prices.ts';

const session = '0c7d5b0e-5d5c-4a59-9d39-7d0f6a0c1c55';
const payer: Payer = { person: 'ada', assistant: 'notes', session };
const rule = (over: Partial<BudgetRule>): BudgetRule => ({
  scope: 'everybody',
  period: 'day',
  unit: 'usd',
  limit: 1,
  ...over,
});
const byId = (...rules: BudgetRule[]) => new Map(rules.map((one) => [ruleId(one), one]));

it('does not warn about a budget of 0, of which nothing can be left', () => {
  expect([isWarned(0, 0), isWarned(0, 1), isWarned(1, 1)]).toEqual([false, false, true]);
});

describe('a request may leave [team.budgets.enforced]', () => {
  it('unless it could be the second one that goes over the limit', () => {
    const amount = fc.integer({ min: 0, max: 1_000 });
    fc.assert(
      fc.property(amount, amount, amount, (limit, spent, reserved) => {
        // Whatever the requests under way cost, up to their estimates: no other one is over the limit yet.
        const mayGo = spent + reserved < limit;
        // It is over the limit for sure. In between it waits, and only for others.
        const isRefused = spent >= limit;
        const expected = mayGo ? 'go' : isRefused ? 'refuse' : 'wait';
        expect(verdictOn(limit, spent, reserved)).toBe(expected);
        expect(expected === 'wait' && reserved === 0).toBe(false);
      }),
    );
  });

  it('and costs no more than what is reserved for it', () => {
    const tokens = fc.integer({ min: 0, max: 200_000 });
    const model = fc.constantFrom('claude-opus-5-5', 'claude-haiku-5-5', 'claude-sonnet-4-5', 'unknown');
    fc.assert(
      fc.property(model, tokens, tokens, tokens, tokens, (name, input, cacheRead, cacheWrite, output) => {
        const real = amountsOf(toUsage(name, { input, cacheRead, cacheWrite, output }));
        const most = maxCost(name, { input: input + cacheRead + cacheWrite, output });
        expect(real.tokens).toBeLessThanOrEqual(most.tokens);
        expect(real.usd).toBeLessThanOrEqual(most.usd * 1.000001);
      }),
    );
  });
});

describe('the rules for a payer [team.budgets.scopes]', () => {
  it('are those of everybody and of each scope that the payer is in', () => {
    const rules = byId(
      rule({}),
      rule({ scope: 'person', subject: 'ada' }),
      rule({ scope: 'person', subject: 'ben' }),
      rule({ scope: 'assistant', subject: 'notes', unit: 'tokens' }),
      rule({ scope: 'chat' }),
      rule({ scope: 'session', period: 'month' }),
    );
    const found = rulesFor(payer, rules).map(({ rule: { scope }, subject }) => [scope, subject]);
    expect(found).toEqual([
      ['everybody', ''],
      ['person', 'ada'],
      ['assistant', 'notes'],
      ['session', session],
    ]);
    expect(rulesFor({ ...payer, chat: 'telegram:7' }, rules)).toHaveLength(5);
  });

  it('for one subject win over those for each one', () => {
    const rules = byId(
      rule({ scope: 'person', limit: 1 }),
      rule({ scope: 'person', subject: 'ada', limit: 9 }),
    );
    const limits = (person: string) => rulesFor({ ...payer, person }, rules).map(({ rule }) => rule.limit);
    expect([limits('ada'), limits('ben')]).toEqual([[9], [1]]);
  });
});

describe('a period', () => {
  it('contains its moment, ends later, and is followed by another one', () => {
    const moment = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.constantFrom('day' as const, 'month' as const), (date, period) => {
        const now = date.getTime();
        const { name, endsAt } = periodAt(now, period);
        expect(date.toISOString().startsWith(name)).toBe(true);
        expect(endsAt).toBeGreaterThan(now);
        expect(periodAt(endsAt - 1, period).name).toBe(name);
        expect(periodAt(endsAt, period).name).not.toBe(name);
      }),
    );
  });
});

describe('what people read [team.budgets.message]', () => {
  const now = Date.UTC(2026, 11, 31, 23, 59);

  it('names the budget, when it resets, and who can raise it', () => {
    const applied = { rule: rule({ scope: 'person', subject: 'ada', limit: 5 }), subject: 'ada' };
    expect(usedUpText(applied, 5.128, now)).toBe(
      'The daily budget for ada is used up: $5.13 of $5.00. It resets on January 1 at 00:00 UTC. An owner can raise it in the settings.',
    );
  });

  it('says how much is used at 80 %', () => {
    const monthly = rule({ scope: 'session', period: 'month', unit: 'tokens', limit: 100_000 });
    expect(warningText({ rule: monthly, subject: session }, 83_900, now)).toBe(
      'The monthly budget for this session is 83 % used: 83,900 of 100,000 tokens. It resets on January 1 at 00:00 UTC.',
    );
  });
});
