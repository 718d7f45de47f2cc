// A circuit breaker for starts: after several failures in a row it refuses starts for a while, then lets a single one
// through. Pure except for its clock.
import { ClaudeCliError } from './errors.ts';

export interface BreakerOptions {
  /** Failures in a row that open the breaker; default 3. */
  readonly failures?: number;
  /** The breaker opens after the program has failed to start in this many sessions in a row; default 4. */
  readonly sessions?: number;
  /** How long it stays open; default 30 seconds. */
  readonly cooldownMs?: number;
}

/** Guards the starts of one session. */
export interface StartGuard {
  /** Call before a start. Throws `breaker_open`, which says when to try again. */
  enter(): void;
  /** The process started. */
  started(): void;
  /** A turn ended. */
  succeeded(): void;
  failed(failure: ClaudeCliError): void;
  /** The start was aborted: neither success nor failure. */
  abandoned(): void;
}

export class CircuitBreaker implements StartGuard {
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

  enter(): void {
    if (this.#retryAt === undefined) return;
    const wait = this.#retryAt - this.#now();
    if (wait > 0) throw this.#refusal(this.#retryAt, Math.ceil(wait / 1000));
    if (this.#trying) throw this.#refusal(this.#now(), 0);
    this.#trying = true;
  }

  /** Closes a half-open breaker; in a closed one only `succeeded` resets the failures. */
  started(): void {
    if (this.#retryAt !== undefined) this.succeeded();
  }

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

  abandoned(): void {
    this.#trying = false;
  }

  #refusal(retryAt: number, seconds: number): ClaudeCliError {
    const failures = this.#failures;
    const at = new Date(retryAt).toISOString();
    return new ClaudeCliError(
      'breaker_open',
      seconds > 0
        ? `The program failed ${failures} times in a row, so it is not started for now. Try again in ${seconds} s (${at}).`
        : `The program failed ${failures} times in a row, so it is not started for now. Another start is being tried right now (${at}).`,
      { retryAt },
    );
  }
}

/**
 * A breaker for all sessions of one program. It opens when the program fails to start in several sessions in a row, so
 * that a broken program is not started again for each of them.
 */
export class ProgramBreaker {
  readonly #breaker: CircuitBreaker;
  readonly #sessions: number;
  /** The sessions in which the program failed since it last started. */
  readonly #failed = new Set<string>();

  constructor(options: BreakerOptions = {}, now?: () => number) {
    this.#sessions = options.sessions ?? 4;
    this.#breaker = new CircuitBreaker({ ...options, failures: this.#sessions }, now);
  }

  /** Guards the starts of a session by its own breaker and by this one. */
  guard(id: string, own: CircuitBreaker): StartGuard {
    const all = this.#breaker;
    const programWorks = () => {
      this.#failed.clear();
      all.succeeded();
    };
    return {
      enter: () => {
        all.enter();
        try {
          own.enter();
        } catch (error) {
          all.abandoned();
          throw error;
        }
      },
      started: () => {
        own.started();
        programWorks();
      },
      succeeded: () => {
        own.succeeded();
        programWorks();
      },
      failed: (failure) => {
        own.failed();
        const isNew = !this.#failed.has(id) || this.#failed.size >= this.#sessions;
        if (!isFailureOfProgram(failure) || !isNew) return all.abandoned();
        this.#failed.add(id);
        all.failed();
      },
      abandoned: () => {
        own.abandoned();
        all.abandoned();
      },
    };
  }
}

/** The program itself ended before it was ready. A missing folder or conversation is a problem of one session. */
function isFailureOfProgram({ code, exitCode, signal, stderr = '' }: ClaudeCliError): boolean {
  const hasRun = typeof exitCode === 'number' || typeof signal === 'string';
  return code === 'start_failed' && hasRun && !/No conversation found|already in use/.test(stderr);
}
