// Counts what a process has spent of its budget, and warns when it passes a mark.
import type { ClaudeEvent } from './events/event.ts';

/** Percent of the budget at which a session warns. */
const MARKS = [50, 80, 95] as const;

export class Budget {
  readonly #limitUsd: number | undefined;
  /** Since the process started or its conversation was cleared, as the program counts. */
  #spentUsd = 0;

  constructor(limitUsd: number | undefined) {
    this.#limitUsd = limitUsd;
  }

  restart(): void {
    this.#spentUsd = 0;
  }

  /** One warning for each mark that the spending passes, lowest first. */
  spend(costUsd: number): ClaudeEvent[] {
    const limitUsd = this.#limitUsd;
    if (limitUsd === undefined) return [];
    const before = this.#spentUsd;
    const spentUsd = before + costUsd;
    this.#spentUsd = spentUsd;
    const passed = MARKS.filter((percent) => {
      const mark = (limitUsd * percent) / 100;
      return before < mark && spentUsd >= mark;
    });
    return passed.map((percent) => ({
      type: 'metadata',
      kind: 'budget_warning',
      percent,
      spentUsd,
      limitUsd,
    }));
  }
}
