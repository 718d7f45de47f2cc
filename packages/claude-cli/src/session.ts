// A session as its users see it: one conversation, its state, and what happens in it. Each start is one run of the
// program; a session that ended can be started again and goes on with the same conversation.
import type { ControlAnswer, ControlFields, RequestOptions } from './control/control-channel.ts';
import type { PermissionHandler } from './control/permission.ts';
import { Conversation } from './conversation.ts';
import { ClaudeCliError } from './errors.ts';
import type { ClaudeEvent } from './events/event.ts';
import { type FrameListener, Readers } from './events/readers.ts';
import { type ClaudeOptions, type PermissionMode, permissionModes } from './flags/options.ts';
import { InputBuffer } from './input-buffer.ts';
import type { LiveFrame } from './live-frame.ts';
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
      this.#readers.tell([{ type: 'status_change', from, to, ...(reason === undefined ? {} : { reason }) }]),
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

  /** How the program that runs introduced itself: its commands, its models and its account, as it names them. */
  get introduction(): ControlAnswer | undefined {
    return this.#run?.introduction;
  }

  /** Resolves when the program is ready for input. After an end, goes on with the same conversation. */
  async start({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#machine.require('start', 'created', 'stopped', 'error');
    signal?.throwIfAborted();
    this.#setup.breaker.enter();
    this.#readers.begin();
    this.#error = undefined;
    this.#spentUsd = 0;
    this.#machine.move('starting');
    const giveUp = (): void => void this.kill().catch(() => undefined);
    signal?.addEventListener('abort', giveUp);
    try {
      await this.#bringUp();
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** SIGTERM, after the grace time SIGKILL. Resolves when nothing of the process is left. */
  async stop(): Promise<void> {
    await this.#end('stop', this.#setup.config.limits.stopGraceMs);
  }

  /** SIGKILL at once. Resolves when nothing of the process is left. */
  async kill(): Promise<void> {
    await this.#end('kill', 0);
  }

  /** From now on input is kept instead of sent. What the program is doing, it goes on doing. */
  pause(): void {
    this.#machine.require('pause', 'running');
    this.#machine.move('paused');
  }

  /** Sends on what was kept, in order. */
  resume(): void {
    this.#machine.require('resume', 'paused');
    this.#machine.move('running');
    const run = this.#run;
    if (run) this.#input.flush((line) => run.prompt(line));
  }

  /** Resolves when the program took the input; in a session that starts or is paused, when it will have. */
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

  /** Events from now on, after the status changes of this start. Ends when the session has ended. */
  events(): AsyncIterableIterator<ClaudeEvent> {
    return this.#readers.events();
  }

  /** Frames from now on, verbatim. Ends when the session has ended. */
  frames(): AsyncIterableIterator<LiveFrame> {
    return this.#readers.frames();
  }

  /**
   * The cheapest way to every frame, verbatim and in order; `onEnd` is called when the session has ended. Returns the
   * function that takes the listener off.
   */
  onFrame(listener: FrameListener, onEnd?: () => void): () => void {
    return this.#readers.onFrame(listener, onEnd);
  }

  /** Who decides from now on. The program asks only if it was started with a handler or `permission_prompt_tool`. */
  setPermissionHandler(handler: PermissionHandler | undefined): void {
    this.#onPermission = handler;
  }

  /** Any request of the control protocol. */
  async request(subtype: string, fields?: ControlFields, options?: RequestOptions): Promise<ControlAnswer> {
    this.#machine.require('request', 'running', 'paused');
    return (this.#run as Run).control.request(subtype, fields, options);
  }

  /** Stops the turn that is running; its `result` still comes. */
  interrupt(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('interrupt', {}, options);
  }

  setModel(model: string, options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('set_model', { model }, options);
  }

  /** The program itself would take any word, and nobody could say what it then allows. */
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

  /** Stops the session if it lives, and ends its readers. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#machine.is('starting', 'running', 'paused', 'stopping'))
      await this.stop().catch(() => undefined);
    this.#readers.end();
  }

  async #bringUp(): Promise<void> {
    const attempts = this.#conversation.startOptions();
    for (const [index, options] of attempts.entries()) {
      const isLast = index === attempts.length - 1;
      const failure = await this.#tryStart(options, isLast);
      if (!failure) return;
      if (isLast || this.#machine.is('stopping')) throw failure;
    }
  }

  /** Returns the error when the program did not come up. */
  async #tryStart(options: ClaudeOptions, isLast: boolean): Promise<ClaudeCliError | undefined> {
    let run: Run;
    try {
      run = this.#spawn(options, isLast);
    } catch (error) {
      this.#over(error as ClaudeCliError);
      return error as ClaudeCliError;
    }
    this.#run = run;
    this.#setup.onAlive(true);
    try {
      await run.ready;
    } catch (error) {
      const failure = await run.ended;
      if (isLast || !failure || this.#machine.is('stopping')) this.#over(failure);
      return error as ClaudeCliError;
    }
    this.#setup.breaker.started();
    this.#machine.move('running');
    void run.ended.then((failure) => this.#over(failure));
    this.#input.flush((line) => run.prompt(line));
    return undefined;
  }

  #spawn(options: ClaudeOptions, isLast: boolean): Run {
    // What an attempt says that may yet be followed by another is not part of the session.
    const isHeard = (): boolean => isLast || !this.#machine.is('starting');
    return startRun(this.#setup, options, {
      onPermission: () => this.#onPermission,
      wantsDeltas: () => this.#readers.wantsEvents,
      onFrame: (frame) => {
        if (isHeard()) this.#readers.deliver(frame);
      },
      onEvents: (events) => {
        if (isHeard()) this.#onEvents(events);
      },
    });
  }

  #onEvents(events: readonly ClaudeEvent[]): void {
    this.#readers.tell(events);
    for (const event of events) {
      if (event.type === 'metric' && event.scope === 'turn') this.#onSpent(event.costUsd);
      if (event.type !== 'metadata') continue;
      if (event.kind === 'session') this.#onConversation(event.sessionId);
      if (event.kind === 'turn_ended') this.#setup.breaker.succeeded();
    }
  }

  /** The program leaves a conversation for a new one when it is told to clear it, and its budget begins anew. */
  #onConversation(sessionId: string): void {
    if (this.#conversation.begun(sessionId) === 'another') this.#spentUsd = 0;
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
      this.#readers.tell([{ type: 'metadata', kind: 'budget_warning', percent, spentUsd, limitUsd }]);
    }
  }

  async #end(call: string, graceMs: number): Promise<void> {
    this.#machine.require(call, 'starting', 'running', 'paused', 'stopping');
    if (!this.#machine.is('stopping')) this.#machine.move('stopping');
    await this.#run?.end(graceMs);
  }

  /** The one place where a session comes to its end, good or bad. */
  #over(failure: ClaudeCliError | undefined): void {
    this.#run = undefined;
    this.#error = failure;
    this.#input.clear(failure ?? new ClaudeCliError('aborted', 'The session ended.'));
    if (failure) {
      this.#setup.breaker.failed();
      this.#readers.tell([{ type: 'error', code: failure.code, message: failure.message, fatal: true }]);
      this.#machine.move('error', failure.message);
    } else {
      this.#setup.breaker.abandoned();
      this.#machine.move('stopped');
    }
    this.#setup.onAlive(false);
    this.#readers.end();
  }
}
