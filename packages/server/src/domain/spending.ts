// The ports of budgets: engines ask before each request to a model and report what it cost; doors show and change the
// rules; the store keeps them.
import type { Budget, BudgetRule, EngineName, ParleyError, PersonName, Usage } from '@parley/protocol';
import type { Amounts, Payer } from './budgets.ts';

/** A request that may leave. Call `settle` or `cancel` exactly once; later calls do nothing. */
export interface Reservation {
  /** Books what the request used. Resolves to warnings about budgets for the person. Never rejects. */
  settle(used: Used): Promise<readonly string[]>;
  /** The request used nothing, as far as anybody knows. */
  cancel(): void;
}

export interface Used {
  readonly engine: EngineName;
  readonly door: string;
  readonly model: string;
  readonly usage: Usage;
}

export interface Spending {
  /** Why the payer may not ask a model now; undefined if they may. Never waits. */
  refusal(payer: Payer): ParleyError | undefined;
  /**
   * Reserves for a request that is about to leave. Waits while requests under way could use up the rest of a budget.
   * Resolves to the error `over_budget` when one is used up. Rejects with the signal's reason.
   */
  reserve(payer: Payer, most: Amounts, signal: AbortSignal): Promise<Reservation | ParleyError>;
  /** Learns what other servers have booked for the payer. */
  refresh(payer: Payer): Promise<void>;
  /** Books what the program used. It asks the model on its own, so there was no reservation. Never rejects. */
  book(payer: Payer, used: Used): Promise<readonly string[]>;
}

/** Where there are no budgets. */
export const unlimited: Spending = {
  refusal: () => undefined,
  reserve: async () => ({ settle: async () => [], cancel: () => undefined }),
  refresh: async () => undefined,
  book: async () => [],
};

/** The budgets as doors show and change them. */
export interface Budgets {
  /** Learns what other servers have booked, and which rules they have changed. Call it before `list`. */
  refreshAll(): Promise<void>;
  /** The budgets that concern the person; all if absent. */
  list(person?: PersonName): readonly Budget[];
  /** Applies at once. Rejects with `conflict` if the configuration file sets it. */
  put(rule: BudgetRule): Promise<Budget>;
  /** False if there is no such rule. Rejects with `conflict` if the configuration file sets it. */
  remove(id: string): Promise<boolean>;
}

/** What was spent in one scope by one subject, today and this month. */
export interface SpentSum {
  readonly scope: BudgetRule['scope'];
  readonly subject: string;
  readonly day: Amounts;
  readonly month: Amounts;
}

export interface BudgetRuleStore {
  /** The rules that were set in the app. */
  rules(): Promise<readonly BudgetRule[]>;
  /** Durable. */
  putRule(id: string, rule: BudgetRule): Promise<void>;
  /** Durable. */
  removeRule(id: string): Promise<void>;
}

export interface SpentStore {
  /** What was spent on this day and in its month, such as `2026-11-17`. */
  spent(day: string): Promise<readonly SpentSum[]>;
  /** The warnings that people got since this day. Forgets older ones. */
  warnings(since: string): Promise<readonly string[]>;
  /** False if the warning was added before, maybe by another server. */
  addWarning(key: string, day: string): Promise<boolean>;
}

/** What one subject has spent and reserved, on all servers. */
export interface SharedSum extends SpentSum {
  /** For requests under way. */
  readonly reserved: Amounts;
}

export type Subject = Pick<SpentSum, 'scope' | 'subject'>;

/** Reservations of several servers. Those of a server that has stopped don't count. */
export interface SharedReservations {
  /** In the order of the subjects. */
  sums(day: string, subjects: readonly Subject[]): Promise<readonly SharedSum[]>;
  /**
   * Calls `mayLeave` with the sums of all subjects, and reserves for them if it agrees. Nobody else can reserve in
   * between. Resolves to the sums, and to the id of the reservation if there is one.
   */
  reserve(
    day: string,
    subjects: readonly Subject[],
    most: Amounts,
    mayLeave: (sums: readonly SharedSum[]) => boolean,
  ): Promise<{ readonly sums: readonly SharedSum[]; readonly id: string | undefined }>;
  release(id: string): Promise<void>;
}

export interface BudgetStore extends BudgetRuleStore, SpentStore {}
