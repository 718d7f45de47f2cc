// Work that can wait, such as filling a new index, in steps of a few milliseconds. Every step stores how far it got, so
// that a restart continues there.
import { pause } from '../../basics/backoff.ts';
import { systemTimers } from '../../domain/timers.ts';

/** Does a little, and returns whether there is more. */
export type Step = () => Promise<boolean>;

const firstPauseMs = 1_000;
/** The pause after a step, as a multiple of the time that the step took. */
const rest = 1;
const shortestPauseMs = 2;
/** The pause after a step that failed, for example because the disk is full. */
const retryMs = 60_000;

export class BackgroundWork {
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(steps: readonly Step[]) {
    this.#ended = this.#run(steps);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #run(steps: readonly Step[]): Promise<void> {
    let isOpen = await this.#pause(firstPauseMs);
    for (const step of steps) {
      while (isOpen) {
        const start = performance.now();
        const result = await step().catch(() => 'failed' as const);
        if (result === false) break;
        const took = performance.now() - start;
        isOpen = await this.#pause(result === 'failed' ? retryMs : Math.max(took * rest, shortestPauseMs));
      }
    }
  }

  /** False if it was closed meanwhile. */
  #pause(ms: number): Promise<boolean> {
    return pause(ms, this.#stop.signal, systemTimers);
  }
}
