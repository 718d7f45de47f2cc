// Budgets of several servers: what all of them have spent and reserved decides whether a request may leave.
import type { BudgetRule } from '@parley/protocol';
import { type Amounts, type Payer, rulesFor, scopes, subjectOf, verdictOn } from '../domain/budgets.ts';
import type { Logger } from '../domain/logger.ts';
import type { SharedReservations, Subject } from '../domain/spending.ts';
import type { SpendingCounters } from './spending-counters.ts';

type Rules = ReadonlyMap<string, BudgetRule>;

/** A reservation that all servers see. */
export interface SharedHold {
  /** Never rejects. */
  release(): Promise<void>;
}

export class SharedBudgets {
  readonly #reservations: SharedReservations;
  readonly #counters: SpendingCounters;
  readonly #logger: Logger;

  /** The counters learn what all servers have spent. */
  constructor(reservations: SharedReservations, counters: SpendingCounters, logger: Logger) {
    this.#reservations = reservations;
    this.#counters = counters;
    this.#logger = logger;
  }

  async refresh(payer: Payer, rules: Rules, day: string): Promise<void> {
    const subjects = limited(payer, rules);
    if (subjects.length === 0) return;
    for (const sum of await this.#reservations.sums(day, subjects)) this.#counters.know(sum);
  }

  /** Undefined, without asking the database, if no budget applies to the payer. */
  async reserve(
    payer: Payer,
    rules: Rules,
    day: string,
    most: Amounts,
  ): Promise<SharedHold | 'wait' | undefined> {
    const subjects = limited(payer, rules);
    if (subjects.length === 0) return undefined;
    const { id, sums } = await this.#reservations.reserve(day, subjects, most, (known) =>
      rulesFor(payer, rules).every(({ rule: { scope, period, unit, limit }, subject }) => {
        const sum = known.find((one) => one.scope === scope && one.subject === subject);
        return verdictOn(limit, sum?.[period][unit] ?? 0, sum?.reserved[unit] ?? 0) === 'go';
      }),
    );
    for (const sum of sums) this.#counters.know(sum);
    if (id === undefined) return 'wait';
    const release = () =>
      this.#reservations
        .release(id)
        .catch((error: unknown) => this.#logger.error({ err: error }, 'could not end a reservation'));
    return { release };
  }
}

/** The subjects whose spending is limited. */
function limited(payer: Payer, rules: Rules): readonly Subject[] {
  const applied = rulesFor(payer, rules);
  return scopes.flatMap((scope) => {
    const subject = subjectOf(payer, scope);
    const isLimited = applied.some(({ rule }) => rule.scope === scope);
    return subject !== undefined && isLimited ? [{ scope, subject }] : [];
  });
}
