// Keeps processes ready for new sessions, so that the first answer doesn't wait for a start. They start with the
// person, directory and settings of the newest session, or of the one that somebody is about to create.
import type { LiveFrame, Session as ProgramSession } from '@parley/claude-cli';
import type { SessionId } from '@parley/protocol';
import { configurationKey } from '../trust/untrusted.ts';
import { type StartSettings, toProgramOptions } from './settings.ts';

/** A process that was started. It takes prompts at once. */
export interface Started {
  readonly process: ProgramSession;
  /** What it has written already; listen to the process for the rest. */
  readonly early: () => readonly LiveFrame[];
  /** Rejects if the program does not start. */
  readonly ready: Promise<void>;
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
  /** Looks at the folder of the settings again. */
  readonly check: (settings: StartSettings) => Promise<StartSettings>;
  readonly start: (id: SessionId, settings: StartSettings) => Started;
  /** What a process that is ready does while it waits. */
  readonly warmUp: (process: ProgramSession) => Promise<void>;
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
  readonly #warming = new Set<Promise<void>>();
  /** What the next ones will be started with. */
  #wanted: StartSettings | undefined;
  #refillTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WarmProcessesOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Whether a process waits for this session. */
  has(id: SessionId): boolean {
    return this.#waiting.has(id);
  }

  /** Call it when somebody is about to create a session with these settings. */
  prepare(settings: StartSettings): void {
    this.#wanted = settings;
    this.#refill();
  }

  /** The id of a new session with these settings that a process waits for; undefined if none does. */
  claim(settings: StartSettings): SessionId | undefined {
    if (this.#options.size === 0) return undefined;
    const waiting = this.#free(kindOf(settings)).find(({ process }) => isAlive(process));
    if (waiting) waiting.isClaimed = true;
    this.#wanted = settings;
    this.#refillTimer ??= setTimeout(() => void this.#refillLater(), this.#options.refillMs).unref();
    return waiting?.id;
  }

  /** The process for a session, if it still fits. */
  take(id: SessionId, settings: StartSettings): Started | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#forget(waiting);
    if (waiting.kind === kindOf(settings) && isAlive(waiting.process)) return waiting;
    void waiting.process[Symbol.asyncDispose]();
    return undefined;
  }

  /** Makes room. False if there is none to stop. */
  async stopOne(): Promise<boolean> {
    const [oldest] = this.#waiting.keys();
    if (oldest === undefined) return false;
    await this.stop(oldest);
    return true;
  }

  /** Stops the process that waits for a session, if there is one. */
  async stop(id: SessionId): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting) await this.#stop(waiting);
  }

  /** Settles when enough are waiting. */
  async filled(): Promise<void> {
    await this.#refillLater();
    while (this.#warming.size > 0) await Promise.all(this.#warming);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#refillTimer);
    await Promise.all([...this.#waiting.values()].map((waiting) => this.#stop(waiting)));
    await Promise.all(this.#warming);
  }

  #free(kind: string): readonly Waiting[] {
    return [...this.#waiting.values()].filter((one) => one.kind === kind && !one.isClaimed);
  }

  /** Looks at the folder again first, because it may have changed. */
  async #refillLater(): Promise<void> {
    const wanted = this.#wanted;
    const now = wanted && (await this.#options.check(wanted).catch(() => undefined));
    if (this.#wanted === wanted) this.#wanted = now;
    this.#refill();
  }

  #refill(): void {
    clearTimeout(this.#refillTimer);
    this.#refillTimer = undefined;
    const settings = this.#wanted;
    this.#wanted = undefined;
    if (!settings || this.#isClosed) return;
    const kind = kindOf(settings);
    const others = [...this.#waiting.values()].filter((one) => one.kind !== kind && !one.isClaimed);
    for (const other of others) void this.#stop(other);
    const missing = this.#options.size - this.#free(kind).length;
    for (let count = 0; count < missing && this.#options.hasRoom(); count += 1) this.#add(settings, kind);
  }

  /** Ignores failures: starting a session reports what is wrong. */
  #add(settings: StartSettings, kind: string): void {
    const id = this.#options.newId();
    let started: Started;
    try {
      started = this.#options.start(id, settings);
    } catch {
      return;
    }
    const expiry = setTimeout(() => void this.#stop(waiting), this.#options.idleMs).unref();
    const waiting: Waiting = { ...started, id, kind, expiry, isClaimed: false };
    this.#waiting.set(id, waiting);
    const warming: Promise<void> = started.ready
      .then(
        // A process that is in use doesn't warm up.
        () => (this.#waiting.get(id) === waiting && !waiting.isClaimed ? this.#warmUp(waiting) : undefined),
        () => this.#forget(waiting),
      )
      .finally(() => this.#warming.delete(warming));
    this.#warming.add(warming);
  }

  async #warmUp({ process }: Waiting): Promise<void> {
    await this.#options.warmUp(process).catch(() => undefined);
  }

  #forget(waiting: Waiting): void {
    clearTimeout(waiting.expiry);
    if (this.#waiting.get(waiting.id) === waiting) this.#waiting.delete(waiting.id);
  }

  async #stop(waiting: Waiting): Promise<void> {
    this.#forget(waiting);
    await waiting.process[Symbol.asyncDispose]();
  }
}

function isAlive(process: ProgramSession): boolean {
  const { state } = process.status();
  return state === 'starting' || state === 'running';
}

function kindOf(settings: StartSettings): string {
  const { person, workingDir, folder } = settings;
  return JSON.stringify([person, workingDir, toProgramOptions(settings), configurationKey(folder)]);
}
