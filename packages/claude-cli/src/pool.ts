// Started sessions of one configuration that wait for their first message. A process that waited too long is
// replaced, so sessions from the pool are never stale. After failures the pool pauses like any other start.
import type { CircuitBreaker } from './breaker.ts';
import type { RequestOptions } from './control/control-channel.ts';
import { ClaudeCliError } from './errors.ts';
import type { Session } from './session.ts';

export interface PoolOptions {
  /** How many processes wait. Each takes over 100 MB. */
  readonly size: number;
  /** A process that waited this long is replaced by a fresh one; default 10 minutes. */
  readonly idleMs?: number;
  /**
   * How long to wait before replacing a session that was taken; default 2 seconds. A starting program uses a core or
   * two, which would slow down the first answer of the session that was just taken.
   */
  readonly refillMs?: number;
}

/** What a pool needs from its provider. */
export interface PoolSetup {
  readonly create: () => Session;
  readonly breaker: CircuitBreaker;
  readonly onClosed: () => void;
}

interface Waiting {
  readonly session: Session;
  readonly recycle: NodeJS.Timeout;
}

export class SessionPool {
  readonly #setup: PoolSetup;
  readonly #size: number;
  readonly #idleMs: number;
  readonly #refillMs: number;
  readonly #waiting: Waiting[] = [];
  /** Places in the pool that are being filled right now. */
  readonly #filling = new Set<Promise<void>>();
  #refillTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(options: PoolOptions, setup: PoolSetup) {
    if (!Number.isInteger(options.size) || options.size < 1) {
      throw new ClaudeCliError('invalid_config', 'A pool needs a size of at least 1.');
    }
    this.#setup = setup;
    this.#size = options.size;
    this.#idleMs = options.idleMs ?? 10 * 60_000;
    this.#refillMs = options.refillMs ?? 2_000;
    this.#refill();
  }

  /** How many processes are ready to be taken. */
  get ready(): number {
    return this.#waiting.length;
  }

  /** Resolves when the pool is as full as it gets: for tests, and to warm up before serving. */
  async filled(): Promise<void> {
    this.#refill();
    while (this.#filling.size > 0) await Promise.all(this.#filling);
  }

  /** Returns a running session without messages: one that waits, or else a freshly started one. */
  async take({ signal }: { readonly signal?: AbortSignal } = {}): Promise<Session> {
    if (this.#isClosed) throw new ClaudeCliError('illegal_move', 'The pool is closed.');
    signal?.throwIfAborted();
    const session = this.#takeWaiting() ?? (await this.#startFresh(signal ? { signal } : {}));
    this.#refillLater();
    return session;
  }

  /** Stops the waiting processes; sessions that were taken keep running. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.filled();
    const sessions = this.#waiting.splice(0);
    for (const { recycle } of sessions) clearTimeout(recycle);
    await Promise.all(sessions.map(({ session }) => session[Symbol.asyncDispose]()));
    this.#setup.onClosed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** A process may have died while it waited. */
  #takeWaiting(): Session | undefined {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      clearTimeout(next.recycle);
      if (next.session.status().state === 'running') return next.session;
    }
    return undefined;
  }

  async #startFresh(options: { readonly signal?: AbortSignal }): Promise<Session> {
    const session = this.#setup.create();
    await session.start(options);
    return session;
  }

  #refillLater(): void {
    this.#refillTimer ??= setTimeout(() => this.#refill(), this.#refillMs).unref();
  }

  #refill(): void {
    clearTimeout(this.#refillTimer);
    this.#refillTimer = undefined;
    while (!this.#isClosed && this.#waiting.length + this.#filling.size < this.#size) {
      this.#fill(() => this.#addOne());
    }
  }

  #fill(work: () => Promise<void>): void {
    const filled: Promise<void> = work().finally(() => this.#filling.delete(filled));
    this.#filling.add(filled);
  }

  /** Does not report failures: taking from an empty pool starts a process and throws what is wrong. */
  async #addOne(): Promise<void> {
    if (this.#isClosed) return;
    const { breaker } = this.#setup;
    try {
      breaker.enter();
    } catch {
      return;
    }
    try {
      const { signal } = this.#closing;
      const session = await this.#startFresh({ signal });
      await warmUp(session, { signal });
      breaker.succeeded();
      this.#keep(session);
    } catch {
      breaker.failed();
    }
  }

  #keep(session: Session): void {
    const waiting: Waiting = {
      session,
      recycle: setTimeout(() => this.#recycle(waiting), this.#idleMs),
    };
    waiting.recycle.unref();
    this.#waiting.push(waiting);
  }

  #recycle(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#fill(async () => {
      await waiting.session[Symbol.asyncDispose]();
      await this.#addOne();
    });
  }
}

/**
 * Makes a process that waits for its first message as ready as possible at no cost: when the program estimates its
 * context, it reads and builds what its first turn needs (tools, system prompt, memory files). That asks nothing of
 * the model and writes nothing to a transcript. (The full count would send some twenty requests to the API, for almost
 * no gain.) If a version does not know the request, its first turn is just slower.
 */
export async function warmUp(session: Session, options: RequestOptions = {}): Promise<void> {
  await session.request('get_context_usage', { detail: 'summary' }, options).catch(() => undefined);
}
