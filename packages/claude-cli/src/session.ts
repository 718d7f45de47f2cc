// A session as callers see it: one conversation, its state and its events. Each start is one run of the program; a
// session that ended can be started again and continues the same conversation.
import type { ControlAnswer, ControlFields, RequestOptions } from './control/control-channel.ts';
import type { PermissionHandler } from './control/permission.ts';
import { Conversation } from './conversation.ts';
import { ClaudeCliError } from './errors.ts';
import type { ClaudeEvent } from './events/event.ts';
import { type FrameListener, Readers } from './events/readers.ts';
import { type ClaudeOptions, type PermissionMode, permissionModes } from './flags/options.ts';
import type { LiveFrame } from './frames/frame.ts';
import { InputBuffer } from './input-buffer.ts';
import type { Run } from './run.ts';
import { type SessionState, StateMachine } from './session-state.ts';
import { type SessionSetup, startRun } from './start-run.ts';
import { toUserLine, type UserInput } from './user-input.ts';

export interface SessionStatus {
  readonly state: SessionState;
  readonly sessionId: string;
  readonly pid: number | undefined;
  readonly turnIsActive: boolean;
  readonly waitingInputs: number;
  readonly error: ClaudeCliError | undefined;
}

/** Percent of the budget at which a session warns. */
const BUDGET_MARKS = [50, 80, 95] as const;

export class Session {
  readonly id: string;
  readonly #setup: SessionSetup;
  readonly #machine: StateMachine;
  readonly #input: InputBuffer;
  readonly #readers: Readers;
  readonly #conversation: Conversation;
  /** Since the process started or its conversation was cleared, as the program counts its budget. */
  #spentUsd = 0;
  #run: Run | undefined;
  #error: ClaudeCliError | undefined;
  #onPermission: PermissionHandler | undefined;

  constructor(setup: SessionSetup) {
    const { options, limits, onPermission } = setup.config;
    this.id = setup.id;
    this.#setup = setup;
    this.#onPermission = onPermission;
    this.#input = new InputBuffer(limits);
    this.#conversation = new Conversation(options, setup.id);
    this.#readers = new Readers({
      highWater: limits.bufferedEvents,
      hold: () => this.#run?.holdOutput() ?? (() => undefined),
    });
    this.#machine = new StateMachine((from, to, reason) =>
      this.#readers.publish([
        { type: 'status_change', from, to, ...(reason === undefined ? {} : { reason }) },
      ]),
    );
  }

  status(): SessionStatus {
    return {
      state: this.#machine.state,
      sessionId: this.#conversation.sessionId,
      pid: this.#run?.pid,
      turnIsActive: this.#run?.turnIsActive ?? false,
      waitingInputs: this.#input.size,
      error: this.#error,
    };
  }

  /** What the running program says about itself: its commands, models and account, in its own format. */
  get introduction(): ControlAnswer | undefined {
    return this.#run?.introduction;
  }

  /** Resolves when the program is ready for input. A session that ended continues the same conversation. */
  async start({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#machine.require('start', 'created', 'stopped', 'error');
    signal?.throwIfAborted();
    this.#setup.breaker.enter();
    this.#readers.restart();
    this.#error = undefined;
    this.#spentUsd = 0;
    this.#machine.move('starting');
    const abort = (): void => void this.kill().catch(() => undefined);
    signal?.addEventListener('abort', abort);
    try {
      await this.#startProgram();
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. Resolves when the process and its children are gone. */
  async stop(): Promise<void> {
    await this.#end('stop', this.#setup.config.limits.stopGraceMs);
  }

  /** Sends SIGKILL at once. Resolves when the process and its children are gone. */
  async kill(): Promise<void> {
    await this.#end('kill', 0);
  }

  /** Buffers input from now on. The program continues what it is doing. */
  pause(): void {
    this.#machine.require('pause', 'running');
    this.#machine.move('paused');
  }

  /** Sends the buffered input, in order. */
  resume(): void {
    this.#machine.require('resume', 'paused');
    this.#machine.move('running');
    const run = this.#run;
    if (run) this.#input.flush((line) => run.prompt(line));
  }

  /** Resolves when the program has the input. A session that is starting or paused sends it later. */
  async sendInput(input: UserInput): Promise<void> {
    this.#machine.require('sendInput', 'starting', 'running', 'paused');
    const line = toUserLine(input);
    await (this.#machine.is('running') && this.#run ? this.#run.prompt(line) : this.#input.add(line));
  }

  /** No more input: the program finishes its turn and exits, and the session stops. */
  endInput(): void {
    this.#machine.require('endInput', 'running');
    this.#run?.endInput();
  }

  /** Events from now on, preceded by the status changes of this start. Ends when the session ends. */
  events(): AsyncIterableIterator<ClaudeEvent> {
    return this.#readers.events();
  }

  /** Frames from now on, verbatim. Ends when the session ends. */
  frames(): AsyncIterableIterator<LiveFrame> {
    return this.#readers.frames();
  }

  /**
   * The cheapest way to get every frame, verbatim and in order. `onEnd` is called when the session ends. Returns a
   * function that removes the listener.
   */
  onFrame(listener: FrameListener, onEnd?: () => void): () => void {
    return this.#readers.onFrame(listener, onEnd);
  }

  /** Decides from now on. The program asks only if it was started with a handler or `permission_prompt_tool`. */
  setPermissionHandler(handler: PermissionHandler | undefined): void {
    this.#onPermission = handler;
  }

  /** Sends any request of the control protocol. */
  async request(subtype: string, fields?: ControlFields, options?: RequestOptions): Promise<ControlAnswer> {
    this.#machine.require('request', 'running', 'paused');
    return (this.#run as Run).control.request(subtype, fields, options);
  }

  /** Stops the running turn; its `result` still arrives. */
  interrupt(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('interrupt', {}, options);
  }

  setModel(model: string, options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('set_model', { model }, options);
  }

  /** Checks the mode because the program accepts any word, and what it then allows is undefined. */
  async setPermissionMode(mode: PermissionMode, options?: RequestOptions): Promise<ControlAnswer> {
    if (!permissionModes.includes(mode)) {
      const known = permissionModes.join(', ');
      throw new ClaudeCliError('invalid_input', `The permission mode must be one of ${known}.`);
    }
    return this.request('set_permission_mode', { mode }, options);
  }

  getContextUsage(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('get_context_usage', {}, options);
  }

  getMcpStatus(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('mcp_status', {}, options);
  }

  /** Stops the session if it is alive, and ends its readers. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#machine.is('starting', 'running', 'paused', 'stopping'))
      await this.stop().catch(() => undefined);
    this.#readers.end();
  }

  async #startProgram(): Promise<void> {
    const attempts = this.#conversation.startOptions();
    for (const [index, options] of attempts.entries()) {
      const isLast = index === attempts.length - 1;
      const failure = await this.#tryStart(options, isLast);
      if (!failure) return;
      if (isLast || this.#machine.is('stopping')) throw failure;
    }
  }

  /** Returns the error if the program did not start. */
  async #tryStart(options: ClaudeOptions, isLast: boolean): Promise<ClaudeCliError | undefined> {
    let run: Run;
    try {
      run = this.#spawn(options, isLast);
    } catch (error) {
      this.#finish(error as ClaudeCliError);
      return error as ClaudeCliError;
    }
    this.#run = run;
    this.#setup.onAlive(true);
    try {
      await run.ready;
    } catch (error) {
      const failure = await run.ended;
      if (isLast || !failure || this.#machine.is('stopping')) this.#finish(failure);
      return error as ClaudeCliError;
    }
    this.#setup.breaker.started();
    this.#machine.move('running');
    void run.ended.then((failure) => this.#finish(failure));
    this.#input.flush((line) => run.prompt(line));
    return undefined;
  }

  #spawn(options: ClaudeOptions, isLast: boolean): Run {
    // While another attempt may follow, the output of this one is not part of the session.
    const isFinal = (): boolean => isLast || !this.#machine.is('starting');
    return startRun(this.#setup, options, {
      onPermission: () => this.#onPermission,
      wantsDeltas: () => this.#readers.wantsEvents,
      onFrame: (frame) => {
        if (isFinal()) this.#readers.deliver(frame);
      },
      onEvents: (events) => {
        if (isFinal()) this.#onEvents(events);
      },
    });
  }

  #onEvents(events: readonly ClaudeEvent[]): void {
    this.#readers.publish(events);
    for (const event of events) {
      if (event.type === 'metric' && event.scope === 'turn') this.#onSpent(event.costUsd);
      if (event.type !== 'metadata') continue;
      if (event.kind === 'session') this.#onConversation(event.sessionId);
      if (event.kind === 'turn_ended') this.#setup.breaker.succeeded();
    }
  }

  /** After `/clear` the program is in a new conversation with a fresh budget. */
  #onConversation(sessionId: string): void {
    if (this.#conversation.reported(sessionId) === 'another') this.#spentUsd = 0;
  }

  /** Warns once at each mark that the spending passes, lowest first. */
  #onSpent(costUsd: number): void {
    const limitUsd = this.#setup.config.options.max_budget_usd;
    if (limitUsd === undefined) return;
    const before = this.#spentUsd;
    const spentUsd = before + costUsd;
    this.#spentUsd = spentUsd;
    for (const percent of BUDGET_MARKS) {
      const mark = (limitUsd * percent) / 100;
      if (before >= mark || spentUsd < mark) continue;
      this.#readers.publish([{ type: 'metadata', kind: 'budget_warning', percent, spentUsd, limitUsd }]);
    }
  }

  async #end(call: string, graceMs: number): Promise<void> {
    this.#machine.require(call, 'starting', 'running', 'paused', 'stopping');
    if (!this.#machine.is('stopping')) this.#machine.move('stopping');
    await this.#run?.end(graceMs);
  }

  /** The only place where a session ends, normally or with an error. */
  #finish(failure: ClaudeCliError | undefined): void {
    this.#run = undefined;
    this.#error = failure;
    this.#input.clear(failure ?? new ClaudeCliError('aborted', 'The session ended.'));
    if (failure) {
      this.#setup.breaker.failed();
      this.#readers.publish([{ type: 'error', code: failure.code, message: failure.message, fatal: true }]);
      this.#machine.move('error', failure.message);
    } else {
      this.#setup.breaker.abandoned();
      this.#machine.move('stopped');
    }
    this.#setup.onAlive(false);
    this.#readers.end();
  }
}
