// What each person, assistant, chat and session has spent today and this month, in memory, and what is reserved for
// requests under way.
import type { BudgetPeriod, BudgetRule, BudgetScope } from '@parley/protocol';
import {
  type Amounts,
  addAmounts,
  noAmounts,
  type Payer,
  periodAt,
  scopes,
  subjectOf,
  subtractAmounts,
} from '../domain/budgets.ts';
import type { SpentSum } from '../domain/spending.ts';

export interface Counter {
  readonly scope: BudgetScope;
  readonly subject: string;
  day: Amounts;
  month: Amounts;
  reserved: Amounts;
}

export class SpendingCounters {
  /** One for each subject that spent something this month. */
  readonly #counters = new Map<string, Counter>();
  #day: string;

  constructor(day: string, spent: readonly SpentSum[]) {
    this.#day = day;
    for (const sums of spent)
      this.#counters.set(keyOf(sums.scope, sums.subject), { ...sums, reserved: noAmounts });
  }

  /** Starts a new day or month if one has begun. Returns which. */
  turnTo(now: number): BudgetPeriod | undefined {
    const { name } = periodAt(now, 'day');
    if (name === this.#day) return undefined;
    const isNewMonth = name.slice(0, 7) !== this.#day.slice(0, 7);
    this.#day = name;
    for (const [key, counter] of this.#counters) {
      counter.day = noAmounts;
      if (isNewMonth) counter.month = noAmounts;
      if (isNewMonth && counter.reserved === noAmounts) this.#counters.delete(key);
    }
    return isNewMonth ? 'month' : 'day';
  }

  get(scope: BudgetScope, subject: string): Counter | undefined {
    return this.#counters.get(keyOf(scope, subject));
  }

  /** Replaces what was counted here with what all servers have counted. */
  know({ scope, subject, day, month }: SpentSum): void {
    const known = this.get(scope, subject);
    if (known) Object.assign(known, { day, month });
    else this.#counters.set(keyOf(scope, subject), { scope, subject, day, month, reserved: noAmounts });
  }

  add(payer: Payer, amounts: Amounts): void {
    for (const counter of this.#of(payer)) {
      counter.day = addAmounts(counter.day, amounts);
      counter.month = addAmounts(counter.month, amounts);
    }
  }

  reserve(payer: Payer, most: Amounts): void {
    for (const counter of this.#of(payer)) counter.reserved = addAmounts(counter.reserved, most);
  }

  release(payer: Payer, most: Amounts): void {
    for (const counter of this.#of(payer)) {
      const { usd, tokens } = subtractAmounts(counter.reserved, most);
      counter.reserved = tokens === 0 ? noAmounts : { usd, tokens };
    }
  }

  /** The subject that has spent most of what the rule limits. */
  highest({ scope, period, unit }: BudgetRule, isCounted: (subject: string) => boolean): Counter | undefined {
    let highest: Counter | undefined;
    for (const counter of this.#counters.values()) {
      if (counter.scope !== scope || !isCounted(counter.subject)) continue;
      if (!highest || counter[period][unit] > highest[period][unit]) highest = counter;
    }
    return highest;
  }

  #of(payer: Payer): readonly Counter[] {
    return scopes.flatMap((scope) => {
      const subject = subjectOf(payer, scope);
      if (subject === undefined) return [];
      const known = this.get(scope, subject);
      if (known) return [known];
      const counter = { scope, subject, day: noAmounts, month: noAmounts, reserved: noAmounts };
      this.#counters.set(keyOf(scope, subject), counter);
      return [counter];
    });
  }
}

function keyOf(scope: BudgetScope, subject: string): string {
  return `${scope} ${subject}`;
}
