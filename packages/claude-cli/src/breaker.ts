// A circuit breaker for starts: after some failures in a row it refuses further ones for a while, then lets a
// single one try. Pure but for its clock.
import { ClaudeCliError } from './errors.ts';

export interface BreakerOptions {
  /** Failures in a row that open the breaker; 3 unless given. */
  readonly failures?: number;
  /** How long it stays open; 30 seconds unless given. */
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

  /** Takes the permission to start, or throws `breaker_open` saying when to try again. */
  enter(): void {
    if (this.#retryAt === undefined) return;
    const wait = this.#retryAt - this.#now();
    if (wait > 0) throw this.#refusal(`Try again in ${Math.ceil(wait / 1000)} s`, this.#retryAt);
    if (this.#trying) throw this.#refusal('One start is being tried at this moment', this.#now());
    this.#trying = true;
  }

  /** The process came up. Closes a half-open breaker; failures in a closed one are forgotten by `succeeded`. */
  started(): void {
    if (this.#retryAt !== undefined) this.succeeded();
  }

  /** A turn came to its end: all is well. */
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

  /** The start was given up before it could show anything: neither success nor failure. */
  abandoned(): void {
    this.#trying = false;
  }

  #refusal(advice: string, retryAt: number): ClaudeCliError {
    const at = new Date(retryAt).toISOString();
    return new ClaudeCliError(
      'breaker_open',
      `The program failed ${this.#failures} times in a row, so it is not started now. ${advice} (${at}).`,
      { retryAt },
    );
  }
}
