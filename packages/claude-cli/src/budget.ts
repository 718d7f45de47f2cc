// Says when the money of a session runs low: once for each mark that the spending passes. The program counts its
// budget from the start of the process, whatever the conversation cost before.

export interface BudgetWarning {
  readonly percent: number;
  readonly spentUsd: number;
  readonly limitUsd: number;
}

const marks = [50, 80, 95] as const;

export class BudgetWatch {
  readonly #limitUsd: number | undefined;
  #spentUsd = 0;
  #passed = 0;

  constructor(limitUsd: number | undefined) {
    this.#limitUsd = limitUsd;
  }

  /** The warnings that this cost of a turn brings, lowest first. */
  spend(costUsd: number): BudgetWarning[] {
    const limitUsd = this.#limitUsd;
    if (limitUsd === undefined) return [];
    this.#spentUsd += costUsd;
    const spentUsd = this.#spentUsd;
    const due = marks.filter((percent) => percent > this.#passed && spentUsd >= (limitUsd * percent) / 100);
    this.#passed = due.at(-1) ?? this.#passed;
    return due.map((percent) => ({ percent, spentUsd, limitUsd }));
  }
}
