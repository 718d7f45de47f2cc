// The processes of all sessions, up to a limit. A process that is idle for long is put to sleep. If there are too many,
// the one that has been idle longest makes room.
import type { SessionId } from '@parley/protocol';
import { pause } from '../../../basics/backoff.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { ClaudeCodeOptions } from '../claude-code-options.ts';
import type { Holder } from '../relay/key-relay.ts';
import { allBusy } from './failures.ts';
import type { SessionProcess } from './session-process.ts';

export interface AwakeProcessesOptions {
  readonly limits: Pick<ClaudeCodeOptions['limits'], 'maxProcesses' | 'idleMs'>;
  readonly clock: Clock;
  /** Sessions that need their process, even if it is not busy yet. */
  readonly working: Pick<ReadonlySet<SessionId>, 'has'>;
  /** How many other processes count towards the limit. */
  readonly others: () => number;
  /** Stops one of the others that nobody needs. False if there is none. */
  readonly stopOther: () => Promise<boolean>;
}

const lookAgainMs = 50;

export class AwakeProcesses {
  readonly #options: AwakeProcessesOptions;
  readonly #processes = new Map<SessionId, SessionProcess>();
  #isClosed = false;

  constructor(options: AwakeProcessesOptions) {
    this.#options = options;
  }

  get ids(): readonly SessionId[] {
    return [...this.#processes.keys()];
  }

  get isFull(): boolean {
    return this.#count >= this.#options.limits.maxProcesses;
  }

  get isOverLimit(): boolean {
    return this.#count > this.#options.limits.maxProcesses;
  }

  has(id: SessionId): boolean {
    return this.#processes.has(id);
  }

  get(id: SessionId): SessionProcess | undefined {
    return this.#processes.get(id);
  }

  add(id: SessionId, process: SessionProcess): void {
    this.#processes.set(id, process);
  }

  /**
   * Ends idle processes until there is room. If none is idle, a turn waits: it has a slot, so only processes that
   * start, end or work on their own can be in its way. Other callers get `busy`.
   */
  async makeRoom(turn?: AbortSignal, isNeedless = () => false): Promise<void> {
    while (this.isFull && !isNeedless()) {
      turn?.throwIfAborted();
      if (await this.#options.stopOther()) continue;
      const unused = [...this.#processes].filter(([id, process]) => !this.#isNeeded(id, process));
      const idle = unused.filter(([, process]) => process.isStarted);
      const [longest] = idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
      if (longest) await this.end(...longest);
      else if (turn) await pause(lookAgainMs, turn);
      else throw allBusy(this.#options.limits.maxProcesses);
    }
  }

  /** Call it whenever a turn of the session starts or ends. */
  watchIdle(id: SessionId, process: SessionProcess): void {
    process.stopIdleTimer();
    // The last change may come after the process has ended.
    const isGone = this.#processes.get(id) !== process;
    if (isGone || process.awake.isBusy || this.#isClosed) return;
    // Others may have started while this one waited for a decision.
    const ending = [...this.#processes.values()].filter(({ isEnding }) => isEnding).length;
    const { clock, limits } = this.#options;
    const isOverLimit = this.#count - ending > limits.maxProcesses;
    if (process.rests || isOverLimit) return void this.end(id, process);
    process.restartIdleTimer(clock.now(), limits.idleMs, () => {
      if (!this.#isNeeded(id, process)) void this.end(id, process);
      else this.watchIdle(id, process);
    });
  }

  async sleep(id: SessionId): Promise<void> {
    const process = this.#processes.get(id);
    if (process) await this.end(id, process);
  }

  /** Like `sleep`, but lets it finish what it is working on. */
  async rest(id: SessionId): Promise<void> {
    const process = this.#processes.get(id);
    if (process) process.rests = true;
    if (!process?.awake.isBusy) await this.sleep(id);
  }

  /** Connects a process's requests to its session. A process that only waits has none yet. */
  holderOf(id: SessionId): Holder {
    const awake = () => this.#processes.get(id)?.awake;
    return {
      session: id,
      chargedTo: () => awake()?.chargedTo,
      onRefused: (reason) => awake()?.refuse(reason),
      onWarnings: (warnings) => awake()?.warn(warnings),
    };
  }

  async end(id: SessionId, process: SessionProcess): Promise<void> {
    await process.end();
    this.forget(id, process);
  }

  /** Call it when the process is gone. */
  forget(id: SessionId, process: SessionProcess): void {
    process.stopIdleTimer();
    if (this.#processes.get(id) === process) this.#processes.delete(id);
  }

  /** Stops the timers. Whoever started the processes ends them. */
  close(): void {
    this.#isClosed = true;
    for (const process of this.#processes.values()) process.stopIdleTimer();
  }

  /** Doesn't count processes that wait for a person's decision, because the gateway limits those. */
  get #count(): number {
    const own = [...this.#processes.values()].filter(({ awake }) => !awake.isWaiting).length;
    return own + this.#options.others();
  }

  #isNeeded(id: SessionId, { awake }: SessionProcess): boolean {
    return awake.isBusy || this.#options.working.has(id);
  }
}
