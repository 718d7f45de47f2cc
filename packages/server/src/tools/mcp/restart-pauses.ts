// How long to wait before a server that failed is started again: longer each time, anew after a time of health.
import type { McpLimits } from './settings.ts';

export class RestartPauses {
  readonly #limits: Pick<McpLimits, 'firstPauseMs' | 'longestPauseMs' | 'healthyMs'>;
  #failures = 0;

  constructor(limits: Pick<McpLimits, 'firstPauseMs' | 'longestPauseMs' | 'healthyMs'>) {
    this.#limits = limits;
  }

  /** The pause after one more failure of a server that had been up for so long. */
  next(upMs: number): number {
    const { firstPauseMs, longestPauseMs, healthyMs } = this.#limits;
    if (upMs >= healthyMs) this.#failures = 0;
    const pause = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    this.#failures += 1;
    return pause;
  }
}
