// Applies budgets: decides which requests may leave, and books what each one cost. Answers from memory, so asking costs
// almost nothing. A request is booked as soon as it is over, so a crash loses at most the requests under way.
import { type Budget, type BudgetRule, ParleyError, type PersonName } from '@parley/protocol';
import {
  type Amounts,
  type AppliedRule,
  amountsOf,
  isWarned,
  type Payer,
  periodAt,
  ruleId,
  rulesFor,
  usedUpText,
  verdictOn,
  warningText,
} from '../domain/budgets.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type {
  BudgetRuleStore,
  Budgets,
  Reservation,
  SharedReservations,
  Spending,
  SpentStore,
  SpentSum,
  Used,
} from '../domain/spending.ts';
import { systemTimers, type Timers } from '../domain/timers.ts';
import type { UsageBook } from '../domain/usage-book.ts';
import { BudgetRules } from './budget-rules.ts';
import { SharedBudgets, type SharedHold } from './shared-budgets.ts';
import { type Counter, SpendingCounters } from './spending-counters.ts';
import { Waiting } from './waiting.ts';

export interface SpendingParts {
  readonly rules: BudgetRuleStore;
  readonly spent: SpentStore;
  readonly book: Pick<UsageBook, 'record'>;
  /** If several servers share the budgets. */
  readonly shared?: SharedReservations | undefined;
  /** The rules in the configuration file. They override those from the app. */
  readonly fileRules: readonly BudgetRule[];
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly logger: Logger;
}

/** How often to ask again while requests on other servers could use up the rest of a budget. */
const lookAgainMs = 250;

export async function openSpending(parts: SpendingParts): Promise<BudgetedSpending> {
  const { name: day } = periodAt(parts.clock.now(), 'day');
  const [rules, spent, warnings] = await Promise.all([
    parts.rules.rules(),
    parts.spent.spent(day),
    parts.spent.warnings(`${day.slice(0, 7)}-01`),
  ]);
  return new BudgetedSpending(parts, { day, rules, spent, warnings });
}

export class BudgetedSpending implements Spending, Budgets {
  readonly #parts: SpendingParts;
  readonly #rules: BudgetRules;
  readonly #counters: SpendingCounters;
  readonly #warned: Set<string>;
  /** Woken when a request is over or the rules change. */
  readonly #waiting: Waiting;
  readonly #shared: SharedBudgets | undefined;

  constructor(
    parts: SpendingParts,
    known: {
      readonly day: string;
      readonly rules: readonly BudgetRule[];
      readonly spent: readonly SpentSum[];
      readonly warnings: readonly string[];
    },
  ) {
    this.#parts = parts;
    this.#waiting = new Waiting(parts.timers ?? systemTimers);
    this.#rules = new BudgetRules(parts.fileRules, known.rules, parts.rules, () => this.#waiting.wake());
    this.#counters = new SpendingCounters(known.day, known.spent);
    this.#warned = new Set(known.warnings);
    this.#shared = parts.shared && new SharedBudgets(parts.shared, this.#counters, parts.logger);
  }

  refusal(payer: Payer): ParleyError | undefined {
    const now = this.#now();
    for (const applied of rulesFor(payer, this.#rules.all)) {
      const spent = this.#spentOf(applied);
      if (spent >= applied.rule.limit) return usedUp(applied, spent, now);
    }
    return undefined;
  }

  async reserve(payer: Payer, most: Amounts, signal: AbortSignal): Promise<Reservation | ParleyError> {
    for (;;) {
      signal.throwIfAborted();
      const shared = await this.#shared?.reserve(payer, this.#rules.all, this.#day(), most);
      if (typeof shared === 'object') return this.#hold(payer, most, shared);
      const refusal = this.refusal(payer);
      if (refusal) return refusal;
      if (shared === 'wait') await this.#waiting.wait(signal, lookAgainMs);
      else if (this.#mustWait(payer)) await this.#waiting.wait(signal);
      else return this.#hold(payer, most);
    }
  }

  async refresh(payer: Payer): Promise<void> {
    await this.#shared?.refresh(payer, this.#rules.all, this.#day());
  }

  async refreshAll(): Promise<void> {
    if (!this.#shared) return;
    await this.reload();
    for (const sum of await this.#parts.spent.spent(this.#day())) this.#counters.know(sum);
  }

  /** Another server may have changed the rules. */
  reload(): Promise<void> {
    return this.#rules.reload();
  }

  book(payer: Payer, used: Used): Promise<readonly string[]> {
    void this.#record(payer, used);
    return this.#counted(payer, used);
  }

  #counted(payer: Payer, { usage }: Used): Promise<readonly string[]> {
    const now = this.#now();
    this.#counters.add(payer, amountsOf(usage));
    return this.#warnings(payer, now);
  }

  /** Never rejects. */
  async #record(payer: Payer, { engine, door, model, usage }: Used): Promise<void> {
    const { person, assistant, session: sessionId, chat } = payer;
    const at = this.#now();
    try {
      await this.#parts.book.record({
        at,
        person,
        assistant,
        chat,
        sessionId,
        engine,
        door,
        model,
        usage,
        turns: 0,
      });
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'could not record what was used');
    }
  }

  #day(): string {
    return periodAt(this.#now(), 'day').name;
  }

  list(person?: PersonName): readonly Budget[] {
    const now = this.#now();
    return [...this.#rules.all]
      .filter(([, rule]) => person === undefined || concerns(rule, person))
      .map(([id, rule]) => this.#view(id, rule, now, person));
  }

  async put(rule: BudgetRule): Promise<Budget> {
    const id = await this.#rules.put(rule);
    return this.#view(id, rule, this.#now());
  }

  remove(id: string): Promise<boolean> {
    return this.#rules.remove(id);
  }

  #now(): number {
    const now = this.#parts.clock.now();
    if (this.#counters.turnTo(now) === 'month') this.#warned.clear();
    return now;
  }

  #spentOf({ rule, subject }: AppliedRule): number {
    return this.#counters.get(rule.scope, subject)?.[rule.period][rule.unit] ?? 0;
  }

  #mustWait(payer: Payer): boolean {
    return rulesFor(payer, this.#rules.all).some((applied) => {
      const { scope, unit, limit } = applied.rule;
      const reserved = this.#counters.get(scope, applied.subject)?.reserved[unit] ?? 0;
      return verdictOn(limit, this.#spentOf(applied), reserved) === 'wait';
    });
  }

  #hold(payer: Payer, most: Amounts, shared?: SharedHold): Reservation {
    this.#counters.reserve(payer, most);
    let isOpen = true;
    const release = () => {
      isOpen = false;
      this.#counters.release(payer, most);
    };
    return {
      settle: async (used) => {
        if (!isOpen) return [];
        release();
        const warnings = this.#counted(payer, used);
        // In this order, so that no other server sees less than was spent.
        void this.#record(payer, used).then(() => shared?.release());
        this.#waiting.wake();
        return warnings;
      },
      cancel: () => {
        if (!isOpen) return;
        release();
        void shared?.release();
        this.#waiting.wake();
      },
    };
  }

  /** Each person gets one warning per budget and period, and another one after the budget was changed. */
  async #warnings(payer: Payer, now: number): Promise<readonly string[]> {
    const due = rulesFor(payer, this.#rules.all).flatMap((applied) => {
      const { rule, subject } = applied;
      const spent = this.#spentOf(applied);
      if (!isWarned(rule.limit, spent)) return [];
      const { name } = periodAt(now, rule.period);
      const key = JSON.stringify([ruleId(rule), subject, rule.limit, name, payer.person]);
      if (this.#warned.has(key)) return [];
      this.#warned.add(key);
      return [{ key, text: warningText(applied, spent, now) }];
    });
    const added = due.map(({ key }) => this.#addWarning(key, now));
    // Another server may have sent this warning before. A single server knows, and doesn't wait.
    const isFirst = this.#shared ? await Promise.all(added) : due.map(() => true);
    return due.flatMap(({ text }, at) => (isFirst[at] ? [text] : []));
  }

  /** Never rejects: two warnings are better than none. */
  async #addWarning(key: string, now: number): Promise<boolean> {
    try {
      return await this.#parts.spent.addWarning(key, periodAt(now, 'day').name);
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'could not record a warning');
      return true;
    }
  }

  #view(id: string, rule: BudgetRule, now: number, person?: PersonName): Budget {
    const { scope, period, unit, limit } = rule;
    const subject = scope === 'everybody' ? '' : (rule.subject ?? (scope === 'person' ? person : undefined));
    const counter = subject === undefined ? this.#highest(rule) : this.#counters.get(scope, subject);
    const spent = counter?.[period][unit] ?? 0;
    return {
      ...rule,
      id,
      origin: this.#rules.originOf(id),
      spent,
      reserved: counter?.reserved[unit] ?? 0,
      percent: limit === 0 ? 100 : (spent / limit) * 100,
      ...(subject === undefined && counter && spent > 0 && { highest: counter.subject }),
      resetsAt: periodAt(now, period).endsAt,
    };
  }

  /** Among subjects without a rule of their own. */
  #highest(rule: BudgetRule): Counter | undefined {
    return this.#counters.highest(rule, (subject) => !this.#rules.all.has(ruleId({ ...rule, subject })));
  }
}

/** Budgets of chats and sessions may be about other people. */
function concerns({ scope, subject }: BudgetRule, person: PersonName): boolean {
  if (scope === 'person') return subject === undefined || subject === person;
  return scope === 'everybody' || scope === 'assistant';
}

function usedUp(applied: AppliedRule, spent: number, now: number): ParleyError {
  const seconds = Math.ceil((periodAt(now, applied.rule.period).endsAt - now) / 1_000);
  return new ParleyError('over_budget', usedUpText(applied, spent, now), { retryAfterSeconds: seconds });
}
