// The counters of budgets, on a real database.
import { type BudgetRule, noUsage, ParleyError } from '@parley/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Amounts, type Payer, ruleId } from '../../src/domain/budgets.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import type { Reservation, Used } from '../../src/domain/spending.ts';
import { openSpending, type SpendingParts } from '../../src/gateway/spending.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';

const session = '0c7d5b0e-5d5c-4a59-9d39-7d0f6a0c1c55';
const ada: Payer = { person: 'ada', assistant: 'notes', session };
const ben: Payer = { ...ada, person: 'ben' };
const aDay: BudgetRule = { scope: 'person', subject: 'ada', period: 'day', unit: 'tokens', limit: 100 };
const most: Amounts = { usd: 1, tokens: 60 };
const never = new AbortController().signal;
const used = (tokens: number): Used => ({
  engine: 'messages-api',
  door: 'http',
  model: 'claude-sonnet-5-5',
  usage: { ...noUsage, outputTokens: tokens, costUsd: tokens / 100 },
});

let store: SqliteStore;
let now = Date.UTC(2026, 10, 17, 12);
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
  now = Date.UTC(2026, 10, 17, 12);
});
afterEach(() => store.close());

const open = (fileRules: readonly BudgetRule[] = [], parts: Partial<SpendingParts> = {}) =>
  openSpending({
    ...parts,
    rules: store.budgets,
    spent: store.budgets,
    book: store.usage,
    fileRules,
    clock: { now: () => now },
    logger: silentLogger,
  });

type Counters = Awaited<ReturnType<typeof open>>;

async function held(spending: Counters, payer = ada): Promise<Reservation> {
  const reservation = await spending.reserve(payer, most, never);
  if (reservation instanceof ParleyError) throw reservation;
  return reservation;
}

describe('spending', () => {
  it('refuses what comes after a budget is used up, and only that [team.budgets.enforced]', async () => {
    const spending = await open([aDay]);
    await (await held(spending)).settle(used(99));
    expect(spending.refusal(ada)).toBeUndefined();
    await (await held(spending)).settle(used(50));
    expect(spending.refusal(ada)).toMatchObject({ code: 'over_budget', retryAfterSeconds: 12 * 3_600 });
    expect(await spending.reserve(ada, most, never)).toBeInstanceOf(ParleyError);
    expect(spending.refusal(ben)).toBeUndefined();
  });

  it('lets requests wait for others that could use up the rest [team.budgets.one-request]', async () => {
    const spending = await open([aDay]);
    const first = await held(spending);
    const second = await held(spending);
    const order: string[] = [];
    const third = held(spending).then((one) => (order.push('third'), one));
    const gone = new AbortController();
    const fourth = spending.reserve(ada, most, gone.signal);
    gone.abort(new Error('gone'));
    await expect(fourth).rejects.toThrow('gone');
    expect(order).toEqual([]);
    await first.settle(used(1));
    (await third).cancel();
    await second.settle(used(1));
    expect(spending.list()).toMatchObject([{ spent: 2, reserved: 0, percent: 2 }]);
  });

  it('never exceeds a budget by more than one request, and never gets stuck [team.budgets.one-request]', async () => {
    const request = fc.record({ tokens: fc.integer({ min: 0, max: 60 }), after: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 400 }),
        async (requests, limit) => {
          const memory = await openSqliteStore({ file: ':memory:' });
          const clock = { now: () => now };
          const parts = {
            rules: memory.budgets,
            spent: memory.budgets,
            book: memory.usage,
            clock,
            logger: silentLogger,
          };
          const spending = await openSpending({ ...parts, fileRules: [{ ...aDay, limit }] });
          let spent = 0;
          let isTooEarly = false;
          await Promise.all(
            requests.map(async ({ tokens, after }) => {
              const reservation = await spending.reserve(ada, most, new AbortController().signal);
              if (reservation instanceof ParleyError) {
                isTooEarly ||= spent < limit;
                return;
              }
              for (let tick = 0; tick < after; tick += 1) await Promise.resolve();
              spent += tokens;
              await reservation.settle(used(tokens));
            }),
          );
          expect(isTooEarly).toBe(false);
          expect(spent).toBeLessThan(limit + 60);
          expect(spending.list()[0]).toMatchObject({ spent, reserved: 0 });
          await memory.close();
        },
      ),
      { numRuns: 50 },
    );
  });

  it('applies a raised budget at once, even to waiting requests [team.budgets.raise]', async () => {
    const spending = await open();
    await spending.put(aDay);
    const [first] = [await held(spending), await held(spending)];
    const waiting = held(spending);
    await spending.put({ ...aDay, limit: 1_000 });
    await waiting;
    await first?.settle(used(1_000));
    expect(spending.refusal(ada)).toBeDefined();
    await spending.put({ ...aDay, limit: 2_000 });
    expect(spending.refusal(ada)).toBeUndefined();
    expect(await spending.remove(ruleId(aDay))).toBe(true);
    expect(await spending.remove(ruleId(aDay))).toBe(false);
    expect(spending.list()).toEqual([]);
  });

  it('asks again after a while if requests on other servers could use up the rest', async () => {
    let isTaken = true;
    const looks: (() => void)[] = [];
    const spending = await open([aDay], {
      shared: {
        sums: async () => [],
        reserve: async () => ({ sums: [], id: isTaken ? undefined : 'reservation' }),
        release: async () => undefined,
      },
      timers: {
        now: () => 0,
        after: (_, look) => {
          looks.push(look);
          return () => undefined;
        },
      },
    });
    const reserved = held(spending);
    await expect.poll(() => looks.length).toBe(1);
    isTaken = false;
    looks[0]?.();
    await reserved;
  });

  it('keeps rules, spending and warnings after a restart [team.budgets.crash]', async () => {
    const spending = await open();
    await spending.put(aDay);
    await spending.put({ scope: 'assistant', period: 'month', unit: 'usd', limit: 1 });
    expect(await (await held(spending)).settle(used(85))).toHaveLength(2);
    // Committed with the next tick of the event loop: nothing waits for the end of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    const again = await open();
    expect(again.list()).toMatchObject([
      { id: 'assistant:month:usd:*', spent: 0.85, highest: 'notes' },
      { id: 'person:day:tokens:ada', spent: 85, percent: 85 },
    ]);
    expect(await (await held(again)).settle(used(1))).toEqual([]);
  });

  it('starts again with the next day and the next month', async () => {
    const monthly: BudgetRule = { ...aDay, period: 'month', limit: 150 };
    const spending = await open([aDay, monthly]);
    await (await held(spending)).settle(used(100));
    expect(spending.refusal(ada)?.message).toContain('daily');
    now += 86_400_000;
    expect(spending.refusal(ada)).toBeUndefined();
    await (await held(spending)).settle(used(60));
    expect(spending.refusal(ada)?.message).toMatch(/monthly.*resets on December 1 at/);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await open([aDay, monthly])).list()).toMatchObject([{ spent: 60 }, { spent: 160 }]);
    now = Date.UTC(2026, 11, 1);
    expect(spending.list()).toMatchObject([{ spent: 0 }, { spent: 0 }]);
    expect((await open([aDay, monthly])).list()).toMatchObject([{ spent: 0 }, { spent: 0 }]);
  });

  it('warns each person once per budget and period [team.budgets.warning]', async () => {
    const shared: BudgetRule = { scope: 'everybody', period: 'day', unit: 'tokens', limit: 100 };
    const spending = await open([shared]);
    expect(await (await held(spending)).settle(used(79))).toEqual([]);
    expect(await (await held(spending)).settle(used(1))).toEqual([
      'The daily budget for everybody is 80 % used: 80 of 100 tokens. It resets on November 18 at 00:00 UTC.',
    ]);
    expect(await (await held(spending)).settle(used(1))).toEqual([]);
    expect(await (await held(spending, ben)).settle(used(1))).toHaveLength(1);
    now += 86_400_000;
    expect(await (await held(spending)).settle(used(90))).toHaveLength(1);
  });

  it('follows the configuration file where that sets a budget [team.budgets.file]', async () => {
    await (await open()).put({ ...aDay, limit: 7 });
    const spending = await open([{ ...aDay, limit: 9 }]);
    expect(spending.list()).toMatchObject([{ limit: 9, origin: 'file' }]);
    await expect(spending.put(aDay)).rejects.toMatchObject({ code: 'conflict' });
    await expect(spending.remove(ruleId(aDay))).rejects.toMatchObject({ code: 'conflict' });
    expect((await open()).list()).toMatchObject([{ limit: 7, origin: 'app' }]);
  });

  it('shows a person what concerns them [team.budgets.list]', async () => {
    const spending = await open([
      aDay,
      { ...aDay, subject: 'ben' },
      { scope: 'person', period: 'month', unit: 'usd', limit: 1 },
      { scope: 'session', period: 'day', unit: 'usd', limit: 1 },
    ]);
    await (await held(spending)).settle(used(5));
    expect(spending.list('ben').map(({ id, spent }) => [id, spent])).toEqual([
      ['person:day:tokens:ben', 0],
      ['person:month:usd:*', 0],
    ]);
    expect(spending.list()).toHaveLength(4);
  });
});
