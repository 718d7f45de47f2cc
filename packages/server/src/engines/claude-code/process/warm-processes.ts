// Processes that wait for a new session, so that its first answer does not wait for a start. They are started with the
// directory and settings of the newest session. Off unless configured.
import type { LiveFrame, Session as ProgramSession } from '@parley/claude-cli';
import type { SessionId } from '@parley/protocol';
import { type CodeSettings, toProgramOptions } from './settings.ts';

/** A process that has started. */
export interface Started {
  readonly process: ProgramSession;
  /** What it has written already; listen to the process for the rest. */
  readonly early: () => readonly LiveFrame[];
}

export interface WarmProcessesOptions {
  readonly size: number;
  /** A process that waited for this long is stopped. */
  readonly idleMs: number;
  /** A claimed process is replaced after this time, so that its first answer does not compete with the replacement. */
  readonly refillMs: number;
  readonly newId: () => string;
  /** Whether one more process may be started. */
  readonly hasRoom: () => boolean;
  readonly start: (id: SessionId, settings: CodeSettings) => Promise<Started>;
}

interface Waiting extends Started {
  readonly id: SessionId;
  readonly kind: string;
  readonly expiry: NodeJS.Timeout;
  /** Its session exists, but has not been used yet. */
  isClaimed: boolean;
}

export class WarmProcesses {
  readonly #options: WarmProcessesOptions;
  readonly #waiting = new Map<SessionId, Waiting>();
  readonly #starting = new Set<Promise<void>>();
  /** What the next ones will be started with. */
  #wanted: CodeSettings | undefined;
  #refillTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WarmProcessesOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.size + this.#starting.size;
  }

  /** Whether a process waits for this session. */
  has(id: SessionId): boolean {
    return this.#waiting.has(id);
  }

  /** The id for a new session with these settings that a process waits for; undefined if none does. */
  claim(settings: CodeSettings): SessionId | undefined {
    if (this.#options.size === 0) return undefined;
    const kind = kindOf(settings);
    const waiting = [...this.#waiting.values()].find(
      (one) => one.kind === kind && !one.isClaimed && one.process.status().state === 'running',
    );
    if (waiting) waiting.isClaimed = true;
    this.#wanted = settings;
    this.#refillTimer ??= setTimeout(() => this.#refill(), this.#options.refillMs).unref();
    return waiting?.id;
  }

  /** The process for a session, if it still fits. */
  take(id: SessionId, settings: CodeSettings): Started | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    clearTimeout(waiting.expiry);
    if (waiting.kind === kindOf(settings) && waiting.process.status().state === 'running') return waiting;
    void waiting.process[Symbol.asyncDispose]();
    return undefined;
  }

  /** Makes room. False if there is none to stop. */
  async stopOne(): Promise<boolean> {
    const [oldest] = this.#waiting.values();
    if (!oldest) return false;
    await this.#stop(oldest);
    return true;
  }

  /** Settles when enough are waiting. */
  async filled(): Promise<void> {
    this.#refill();
    while (this.#starting.size > 0) await Promise.all(this.#starting);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted = undefined;
    await this.filled();
    await Promise.all([...this.#waiting.values()].map((waiting) => this.#stop(waiting)));
  }

  #refill(): void {
    clearTimeout(this.#refillTimer);
    this.#refillTimer = undefined;
    const settings = this.#wanted;
    if (!settings) return;
    this.#wanted = undefined;
    const kind = kindOf(settings);
    const others = [...this.#waiting.values()].filter((one) => one.kind !== kind && !one.isClaimed);
    for (const other of others) void this.#stop(other);
    const free = [...this.#waiting.values()].filter((one) => one.kind === kind && !one.isClaimed).length;
    const missing = this.#options.size - free - this.#starting.size;
    for (let count = 0; count < missing && this.#options.hasRoom(); count += 1) {
      const starting: Promise<void> = this.#add(settings, kind).finally(() =>
        this.#starting.delete(starting),
      );
      this.#starting.add(starting);
    }
  }

  /** Ignores failures: starting a session reports what is wrong. */
  async #add(settings: CodeSettings, kind: string): Promise<void> {
    const id = this.#options.newId();
    const started = await this.#options.start(id, settings).catch(() => undefined);
    if (!started) return;
    const expiry = setTimeout(() => void this.#stop(waiting), this.#options.idleMs);
    expiry.unref();
    const waiting: Waiting = { ...started, id, kind, expiry, isClaimed: false };
    this.#waiting.set(id, waiting);
    if (this.#isClosed) await this.#stop(waiting);
  }

  async #stop(waiting: Waiting): Promise<void> {
    clearTimeout(waiting.expiry);
    this.#waiting.delete(waiting.id);
    await waiting.process[Symbol.asyncDispose]();
  }
}

function kindOf(settings: CodeSettings): string {
  return JSON.stringify([settings.workingDir, toProgramOptions(settings)]);
}
