// A session as callers see it: one conversation, its state and its events. Each start is one run of the program; a
// session that ended can be started again and continues the same conversation.
import { Budget } from './budget.ts';
import type { ControlAnswer, ControlFields, RequestOptions } from './control/control-channel.ts';
import { ControlRequests } from './control/control-requests.ts';
import type { PermissionHandler } from './control/permission.ts';
import { Conversation } from './conversation.ts';
import { ClaudeCliError } from './errors.ts';
import type { ClaudeEvent } from './events/event.ts';
import { type FrameListener, Readers } from './events/readers.ts';
import type { ClaudeOptions } from './flags/options.ts';
import type { LiveFrame } from './frames/frame.ts';
import { InputBuffer } from './input-buffer.ts';
import type { Run } from './run.ts';
import { type SessionStatus, StateMachine } from './session-state.ts';
import { type SessionSetup, startAttempts, startRun } from './start-run.ts';
import { abandonable, attempt } from './unhandled-rejections.ts';
import { toUserLine, type UserInput } from './user-input.ts';

export class Session extends ControlRequests {
  readonly id: string;
  readonly #setup: SessionSetup;
  readonly #machine: StateMachine;
  readonly #input: InputBuffer;
  readonly #readers: Readers;
  readonly #conversation: Conversation;
  readonly #budget: Budget;
  #run: Run | undefined;
  /** No other attempt follows, so the program may get the input before it is ready. */
  #isLastAttempt = false;
  #inputEnds = false;
  /** Resolves when the session has ended after its last start. */
  #ended: Promise<void> = Promise.resolve();
  #markEnded: () => void = () => undefined;
  #stopping = new AbortController();
  #error: ClaudeCliError | undefined;
  #onPermission: PermissionHandler | undefined;

  constructor(setup: SessionSetup) {
    super();
    const { options, limits, onPermission } = setup.config;
    this.id = setup.id;
    this.#setup = setup;
    this.#onPermission = onPermission;
    this.#input = new InputBuffer(limits);
    this.#conversation = new Conversation(options, setup.id);
    this.#budget = new Budget(options.max_budget_usd);
    this.#readers = new Readers({
      highWater: limits.bufferedEvents,
      hold: () => this.#run?.holdOutput() ?? (() => undefined),
      stallMs: limits.stalledReaderMs,
      onStalledListener: ({ code, message }) => void this.#run?.fail(code, message),
    });
    this.#machine = new StateMachine((from, to, reason) =>
      this.#readers.publish([{ type: 'status_change', from, to, ...(reason !== undefined && { reason }) }]),
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
  start({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return attempt(() => {
      this.#machine.require('start', 'created', 'stopped', 'error');
      signal?.throwIfAborted();
      this.#setup.breaker.enter();
      this.#readers.restart();
      this.#error = undefined;
      this.#budget.restart();
      this.#inputEnds = false;
      this.#stopping = new AbortController();
      this.#ended = new Promise((resolve) => {
        this.#markEnded = resolve;
      });
      this.#machine.move('starting');
      // A failure is also an event, and in the status.
      return abandonable(this.#start(signal));
    });
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    const abort = (): void => void abandonable(this.kill());
    signal?.addEventListener('abort', abort);
    try {
      await this.#startProgram();
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Sends SIGTERM, and SIGKILL after the grace period. Resolves when the process and its children are gone, at once if
   * the session has ended.
   */
  async stop(): Promise<void> {
    await this.#end('stop', this.#setup.config.limits.stopGraceMs);
  }

  /** Like `stop`, but sends SIGKILL at once. */
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
    if (this.#run) this.#sendWaiting(this.#run);
  }

  /** Resolves when the program has the input. A paused session sends it later, a starting one when it is ready. */
  sendInput(input: UserInput): Promise<void> {
    return attempt(() => {
      this.#machine.require('sendInput', 'starting', 'running', 'paused');
      if (this.#inputEnds) throw new ClaudeCliError('illegal_move', 'The input was closed.');
      const line = toUserLine(input);
      if (this.#machine.is('running') && this.#run) return this.#run.prompt(line);
      const sent = this.#input.add(line);
      if (this.#machine.is('starting')) this.#writeEarly();
      return sent;
    });
  }

  /** No more input: the program gets what is waiting, finishes its turn and exits, and the session stops. */
  endInput(): void {
    this.#machine.require('endInput', 'starting', 'running', 'paused');
    this.#inputEnds = true;
    const isWaiting = this.#machine.is('starting') || this.#input.size > 0;
    if (!isWaiting) this.#run?.endInput();
  }

  /**
   * Events from now on, preceded by the status changes of this start. Ends when the session ends; on a session that has
   * ended, waits for its next start.
   */
  events(): AsyncIterableIterator<ClaudeEvent> {
    return this.#readers.events();
  }

  /** Frames from now on, verbatim. Begins and ends like `events()`. */
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

  /** Replaces the handler. The program asks only if it was started with a handler or `permission_prompt_tool`. */
  setPermissionHandler(handler: PermissionHandler | undefined): void {
    this.#onPermission = handler;
  }

  /** Sends any request of the control protocol. */
  override request(
    subtype: string,
    fields?: ControlFields,
    options?: RequestOptions,
  ): Promise<ControlAnswer> {
    return attempt(() => {
      this.#machine.require('request', 'running', 'paused');
      return (this.#run as Run).control.request(subtype, fields, options);
    });
  }

  /** Stops the session if it is alive, and ends its readers. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#machine.is('starting', 'running', 'paused', 'stopping'))
      await this.stop().catch(() => undefined);
    this.#readers.close();
  }

  async #startProgram(): Promise<void> {
    const run = await startAttempts(this.#conversation.startOptions(), {
      program: this.#setup.program,
      stopping: this.#stopping.signal,
      spawn: (options, isLast) => this.#spawn(options, isLast),
    }).catch((error: ClaudeCliError) => {
      if (this.#machine.is('starting', 'stopping'))
        this.#finish(error.code === 'aborted' ? undefined : error);
      throw error;
    });
    this.#setup.breaker.started();
    if (this.#machine.is('stopping')) {
      this.#finish(await run.ended);
      throw new ClaudeCliError('aborted', 'The session was stopped while it was starting.');
    }
    this.#machine.move('running');
    void run.ended.then((failure) => this.#finish(failure));
    this.#sendWaiting(run);
  }

  /** Input that is already in the pipe when the program becomes ready doesn't wait for the handshake. */
  #writeEarly(): void {
    const run = this.#run;
    if (run && this.#isLastAttempt) this.#input.write((line) => run.prompt(line));
  }

  #sendWaiting(run: Run): void {
    this.#input.flush((line) => run.prompt(line));
    if (this.#inputEnds) run.endInput();
  }

  #spawn(options: ClaudeOptions, isLast: boolean): Run {
    // While another attempt may follow, the output of this one is not part of the session.
    const isFinal = (): boolean => isLast || !this.#machine.is('starting');
    let run: Run;
    try {
      run = startRun(this.#setup, options, {
        onPermission: () => this.#onPermission,
        wantsDeltas: () => this.#readers.wantsEvents,
        onFrame: (frame) => {
          if (isFinal()) this.#readers.deliver(frame);
        },
        onEvents: (events) => {
          if (isFinal()) this.#onEvents(events);
        },
      });
    } catch (error) {
      // Synchronously, so that nobody can send input to a session that has no program.
      this.#finish(error as ClaudeCliError);
      throw error;
    }
    this.#run = run;
    this.#isLastAttempt = isLast;
    this.#setup.onAlive(true);
    this.#input.rewind();
    this.#writeEarly();
    return run;
  }

  #onEvents(events: readonly ClaudeEvent[]): void {
    this.#readers.publish(events);
    for (const event of events) {
      if (event.type === 'metric' && event.scope === 'turn') {
        this.#readers.publish(this.#budget.spend(event.costUsd));
      }
      if (event.type !== 'metadata') continue;
      // After `/clear` the program is in a new conversation with a fresh budget.
      if (event.kind === 'session' && this.#conversation.reported(event.sessionId) === 'another') {
        this.#budget.restart();
      }
      if (event.kind === 'turn_ended') this.#setup.breaker.succeeded();
    }
  }

  async #end(call: string, graceMs: number): Promise<void> {
    if (this.#machine.is('stopped', 'error')) return;
    this.#machine.require(call, 'starting', 'running', 'paused', 'stopping');
    if (!this.#machine.is('stopping')) this.#machine.move('stopping');
    this.#stopping.abort();
    await this.#run?.end(graceMs);
    await this.#ended;
  }

  /** The only place where a session ends, normally or with an error. */
  #finish(failure: ClaudeCliError | undefined): void {
    this.#run = undefined;
    this.#error = failure;
    this.#input.clear(failure ?? new ClaudeCliError('aborted', 'The session ended.'));
    if (failure) {
      this.#setup.breaker.failed(failure);
      const { code, message, errorType } = failure;
      this.#readers.publish([
        { type: 'error', code, message, fatal: true, ...(errorType !== undefined && { errorType }) },
      ]);
      this.#machine.move('error', failure.message);
    } else {
      this.#setup.breaker.abandoned();
      this.#machine.move('stopped');
    }
    this.#setup.onAlive(false);
    this.#readers.end();
    this.#markEnded();
  }
}
