// The budget rules: those in the configuration file, and those that people set in the app.
import { type BudgetRule, ParleyError } from '@parley/protocol';
import { ruleId } from '../domain/budgets.ts';
import type { BudgetRuleStore } from '../domain/spending.ts';

export class BudgetRules {
  readonly #fileRules: ReadonlyMap<string, BudgetRule>;
  #appRules: ReadonlyMap<string, BudgetRule>;
  readonly #store: BudgetRuleStore;
  readonly #onChange: () => void;
  #all: ReadonlyMap<string, BudgetRule>;

  constructor(
    fileRules: readonly BudgetRule[],
    appRules: readonly BudgetRule[],
    store: BudgetRuleStore,
    onChange: () => void,
  ) {
    this.#fileRules = byId(fileRules);
    this.#appRules = byId(appRules);
    this.#store = store;
    this.#onChange = onChange;
    this.#all = this.#merged();
  }

  /** By id. */
  get all(): ReadonlyMap<string, BudgetRule> {
    return this.#all;
  }

  originOf(id: string): 'file' | 'app' {
    return this.#fileRules.has(id) ? 'file' : 'app';
  }

  /** Reads the rules from the app again. */
  async reload(): Promise<void> {
    this.#use(byId(await this.#store.rules()));
  }

  /** Resolves to its id. */
  async put(rule: BudgetRule): Promise<string> {
    const id = ruleId(rule);
    this.#requireNotInFile(id);
    await this.#store.putRule(id, rule);
    this.#use(new Map([...this.#appRules, [id, rule]]));
    return id;
  }

  /** False if there is none. */
  async remove(id: string): Promise<boolean> {
    this.#requireNotInFile(id);
    if (!this.#appRules.has(id)) return false;
    await this.#store.removeRule(id);
    this.#use(new Map([...this.#appRules].filter(([other]) => other !== id)));
    return true;
  }

  #use(appRules: ReadonlyMap<string, BudgetRule>): void {
    this.#appRules = appRules;
    this.#all = this.#merged();
    this.#onChange();
  }

  /** A rule in the file overrides one from the app. */
  #merged(): ReadonlyMap<string, BudgetRule> {
    return new Map([...this.#appRules, ...this.#fileRules]);
  }

  #requireNotInFile(id: string): void {
    if (!this.#fileRules.has(id)) return;
    throw new ParleyError(
      'conflict',
      'This budget is set in the configuration file, so it can only be changed there.',
    );
  }
}

function byId(rules: readonly BudgetRule[]): Map<string, BudgetRule> {
  return new Map(rules.map((rule) => [ruleId(rule), rule]));
}
