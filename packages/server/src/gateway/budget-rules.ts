// The rules of the budgets: those of the configuration file, and those that people make in the app.
import { type BudgetRule, ParleyError } from '@parley/protocol';
import { ruleId } from '../domain/budgets.ts';
import type { BudgetRuleStore } from '../domain/spending.ts';

export class BudgetRules {
  readonly #ofFile: ReadonlyMap<string, BudgetRule>;
  #ofApp: ReadonlyMap<string, BudgetRule>;
  readonly #store: BudgetRuleStore;
  readonly #onChange: () => void;
  #all: ReadonlyMap<string, BudgetRule>;

  constructor(
    ofFile: readonly BudgetRule[],
    ofApp: readonly BudgetRule[],
    store: BudgetRuleStore,
    onChange: () => void,
  ) {
    this.#ofFile = byId(ofFile);
    this.#ofApp = byId(ofApp);
    this.#store = store;
    this.#onChange = onChange;
    this.#all = this.#together();
  }

  /** By id. */
  get all(): ReadonlyMap<string, BudgetRule> {
    return this.#all;
  }

  originOf(id: string): 'file' | 'app' {
    return this.#ofFile.has(id) ? 'file' : 'app';
  }

  /** Reads the rules of the app again. */
  async reload(): Promise<void> {
    this.#use(byId(await this.#store.rules()));
  }

  /** Resolves to its id. */
  async put(rule: BudgetRule): Promise<string> {
    const id = ruleId(rule);
    this.#refuseRuleOfFile(id);
    await this.#store.putRule(id, rule);
    this.#use(new Map([...this.#ofApp, [id, rule]]));
    return id;
  }

  /** False if there is none. */
  async remove(id: string): Promise<boolean> {
    this.#refuseRuleOfFile(id);
    if (!this.#ofApp.has(id)) return false;
    await this.#store.removeRule(id);
    this.#use(new Map([...this.#ofApp].filter(([other]) => other !== id)));
    return true;
  }

  #use(ofApp: ReadonlyMap<string, BudgetRule>): void {
    this.#ofApp = ofApp;
    this.#all = this.#together();
    this.#onChange();
  }

  /** A rule of the file replaces one of the app. */
  #together(): ReadonlyMap<string, BudgetRule> {
    return new Map([...this.#ofApp, ...this.#ofFile]);
  }

  #refuseRuleOfFile(id: string): void {
    if (!this.#ofFile.has(id)) return;
    throw new ParleyError(
      'conflict',
      'This budget is set in the configuration file, so it can only be changed there.',
    );
  }
}

function byId(rules: readonly BudgetRule[]): Map<string, BudgetRule> {
  return new Map(rules.map((rule) => [ruleId(rule), rule]));
}
