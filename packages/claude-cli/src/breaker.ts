// A circuit breaker for starts: after several failures in a row it refuses starts for a while, then lets a single one
// through. Pure except for its clock.
import { ClaudeCliError } from './errors.ts';

export interface BreakerOptions {
  /** Failures in a row that open the breaker; default 3. */
  readonly failures?: number;
  /** How long it stays open; default 30 seconds. */
  readonly cooldownMs?: number;
}

export class CircuitBreaker {
  readonly #threshold: number;
  readonly #cooldownMs: number;
  readonly #now: () => number;
  #failures = 0;
  #retryAt: number | undefined;
  #trying = false;

  constructor(options: BreakerOptions = {}, now: () => number = Date.now) {
    this.#threshold = options.failures ?? 3;
    this.#cooldownMs = options.cooldownMs ?? 30_000;
    this.#now = now;
  }

  /** Call before a start. Throws `breaker_open`, which says when to try again. */
  enter(): void {
    if (this.#retryAt === undefined) return;
    const wait = this.#retryAt - this.#now();
    if (wait > 0) throw this.#refusal(`Try again in ${Math.ceil(wait / 1000)} s`, this.#retryAt);
    if (this.#trying) throw this.#refusal('Another start is being tried right now', this.#now());
    this.#trying = true;
  }

  /** The process started. Closes a half-open breaker; in a closed one only `succeeded` resets the failures. */
  started(): void {
    if (this.#retryAt !== undefined) this.succeeded();
  }

  /** A turn ended. */
  succeeded(): void {
    this.#failures = 0;
    this.#retryAt = undefined;
    this.#trying = false;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#trying || this.#failures >= this.#threshold) this.#retryAt = this.#now() + this.#cooldownMs;
    this.#trying = false;
  }

  /** The start was aborted: neither success nor failure. */
  abandoned(): void {
    this.#trying = false;
  }

  #refusal(advice: string, retryAt: number): ClaudeCliError {
    const at = new Date(retryAt).toISOString();
    return new ClaudeCliError(
      'breaker_open',
      `The program failed ${this.#failures} times in a row, so it is not started for now. ${advice} (${at}).`,
      { retryAt },
    );
  }
}
