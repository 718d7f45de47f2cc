// Says when the money of a session runs low: once for each mark that the spending passes.

export interface BudgetWarning {
  readonly percent: number;
  readonly spentUsd: number;
  readonly limitUsd: number;
}

const marks = [50, 80, 95] as const;

export class BudgetWatch {
  readonly #limitUsd: number | undefined;
  #passed = 0;

  constructor(limitUsd: number | undefined) {
    this.#limitUsd = limitUsd;
  }

  /** The warnings that this much spending brings, lowest first. */
  spent(spentUsd: number): BudgetWarning[] {
    const limitUsd = this.#limitUsd;
    if (limitUsd === undefined) return [];
    const due = marks.filter((percent) => percent > this.#passed && spentUsd >= (limitUsd * percent) / 100);
    this.#passed = due.at(-1) ?? this.#passed;
    return due.map((percent) => ({ percent, spentUsd, limitUsd }));
  }
}
