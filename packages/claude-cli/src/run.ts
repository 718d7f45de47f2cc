// One run of the program, from spawn to the last byte. Splits its output into frames, forwards them, and speaks the
// control protocol.
import { type ControlAnswer, ControlChannel } from './control/control-channel.ts';
import type { PermissionHandler } from './control/permission.ts';
import { ClaudeCliError, type ClaudeCliErrorCode, type ClaudeCliErrorDetails } from './errors.ts';
import type { ClaudeEvent } from './events/event.ts';
import { translate } from './events/translate.ts';
import { initialTranslationState } from './events/translation-state.ts';
import { type Frame, LiveFrame, parseFrame } from './frames/frame.ts';
import { type FrameWarning, skippedLine } from './frames/frame-reader.ts';
import { LineSplitter } from './frames/line-splitter.ts';
import { RepeatedFrames } from './frames/repeated-frames.ts';
import { ClaudeProcess, type Spawn } from './process/claude-process.ts';
import type { Watchdog } from './process/watchdog.ts';
import { failureOf } from './run-failure.ts';
import type { SessionLimits } from './session-config.ts';
import { TurnWatch } from './turn-watch.ts';

export interface RunListeners {
  readonly onPermission: () => PermissionHandler | undefined;
  /** Deltas are translated only while somebody reads events. */
  readonly wantsDeltas: () => boolean;
  /** Every frame except those of the control protocol. */
  readonly onFrame: (frame: LiveFrame) => void;
  readonly onEvents: (events: readonly ClaudeEvent[]) => void;
}

export interface RunSetup extends RunListeners {
  readonly program: string;
  readonly args: readonly string[];
  readonly layers: number;
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the conversation cost before, see spentBefore. Read while the program starts. */
  readonly spentUsd: Promise<number>;
  readonly limits: SessionLimits;
  readonly watchdog: Watchdog;
  readonly spawn?: Spawn | undefined;
}

const DELTA_START = Buffer.from('{"type":"stream_event",');
const CLOSING_BRACE = 0x7d;

export class Run {
  /** Resolves when the program is ready for input; rejects when it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves when the run is over: with the error, or with undefined after a normal end. Never rejects. */
  readonly ended: Promise<ClaudeCliError | undefined>;
  readonly control: ControlChannel;
  readonly #setup: RunSetup;
  readonly #process: ClaudeProcess;
  readonly #watch: TurnWatch;
  readonly #splitter: LineSplitter;
  readonly #repeated = new RepeatedFrames();
  #translation = initialTranslationState;
  #becameReady!: () => void;
  #isReady = false;
  #introduction: ControlAnswer | undefined;
  #inputEnded = false;
  #sawResult = false;
  #endWasRequested = false;
  #failure: ClaudeCliError | undefined;

  constructor(setup: RunSetup) {
    const { limits } = setup;
    this.#setup = setup;
    this.#splitter = new LineSplitter({
      maxLineBytes: limits.lineBytes,
      onLine: (line, _offset, terminated) => this.#onLine(line, terminated),
      onOverlong: (size) => this.#warn('overlong', size),
    });
    this.#process = new ClaudeProcess({
      ...setup,
      stderrBytes: limits.stderrBytes,
      maxInputBytes: limits.inputBytes,
      onChunk: (chunk) => {
        this.#watch.outputSeen();
        this.#splitter.push(chunk);
      },
    });
    this.#watch = new TurnWatch({
      silentTurnMs: limits.silentTurnMs,
      exitMs: limits.exitMs,
      closeInput: () => this.#process.endInput(),
      isExcused: () => this.#process.isHeld || this.control.openQuestions > 0,
      onSilent: () =>
        void this.fail(
          'turn_silent',
          `The program wrote nothing for ${limits.silentTurnMs} ms in the middle of a turn.`,
        ),
      onNoExit: () =>
        void this.fail(
          'no_exit',
          `The program did not exit within ${limits.exitMs} ms after its work was done.`,
        ),
    });
    this.control = new ControlChannel({
      write: (line) => this.#process.write(line),
      timeoutMs: limits.controlMs,
      onPermission: setup.onPermission,
    });
    this.ended = this.#awaitEnd();
    this.ready = this.#awaitReady();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The program's answer to `initialize`: its commands, models and account. */
  get introduction(): ControlAnswer | undefined {
    return this.#introduction;
  }

  get turnIsActive(): boolean {
    return this.#watch.turnIsActive;
  }

  /** Writes a prompt. From here on a turn is expected to end with its `result`. */
  prompt(line: string): Promise<void> {
    if (this.#inputEnded) return Promise.reject(new ClaudeCliError('illegal_move', 'The input was closed.'));
    this.#watch.promptSent();
    return this.#process.write(line);
  }

  /** No more input: the program finishes its turn, with control requests still possible, and exits. */
  endInput(): void {
    this.#inputEnded = true;
    this.#watch.inputEnded();
  }

  holdOutput(): () => void {
    return this.#process.holdOutput();
  }

  /** Ends the process on request; 0 kills it at once. */
  async end(graceMs: number): Promise<void> {
    this.#endWasRequested = true;
    await this.#process.terminate(graceMs);
    await this.ended;
  }

  /** Ends the process because something is wrong with it. */
  async fail(
    code: ClaudeCliErrorCode,
    message: string,
    details?: Pick<ClaudeCliErrorDetails, 'errorType'>,
  ): Promise<void> {
    this.#failure ??= new ClaudeCliError(code, message, details);
    await this.#process.terminate(this.#setup.limits.stopGraceMs);
  }

  /** The hot path: called for each line. Most lines are deltas that need no parsing. */
  #onLine(line: Buffer, terminated: boolean): void {
    if (isSurelyStreamEvent(line) && !this.#setup.wantsDeltas()) {
      this.#watch.turnStarted();
      this.#setup.onFrame(new LiveFrame(line, 'stream_event'));
      return;
    }
    const frame = parseFrame(line);
    if (frame) {
      if (!this.#repeated.isRepeated(frame)) this.#onFrame(frame);
    } else if (line.length > 0) this.#onBrokenLine(line.length, terminated);
  }

  #onFrame(frame: Frame): void {
    switch (frame.kind) {
      case 'control_request':
        return this.control.receiveRequest(frame.body);
      case 'control_response':
        return this.control.receiveResponse(frame.body);
      case 'control_cancel_request':
        return this.control.receiveCancel(frame.body);
      case 'result':
        this.#sawResult = true;
        this.#watch.turnEnded();
        break;
      case 'stream_event':
      case 'bare_stream_event':
      case 'system_init':
      case 'assistant':
        this.#watch.turnStarted();
        break;
      default:
        break;
    }
    this.#setup.onFrame(new LiveFrame(frame.bytes, typeOf(frame), frame));
    this.#translate(frame);
  }

  #translate(frame: Frame): void {
    const { events, state } = translate(frame, this.#translation);
    this.#translation = state;
    const forReaders = events.every(isForReaders) ? events : events.filter(isForReaders);
    if (forReaders !== events) this.#followStream(events);
    if (forReaders.length > 0) this.#setup.onEvents(forReaders);
  }

  #followStream(events: readonly ClaudeEvent[]): void {
    for (const event of events) {
      if (event.type === 'error' && event.fatal) void this.fail('model_error', event.message, event);
      if (event.type !== 'status_change') continue;
      if (event.to === 'running') this.#becameReady();
      if (event.to === 'stopped') this.#finish();
    }
  }

  /** A bare stream ended: no more input follows, and the process may exit. */
  #finish(): void {
    this.#sawResult = true;
    this.#watch.turnEnded();
    this.endInput();
  }

  #onBrokenLine(size: number, terminated: boolean): void {
    this.#warn(terminated ? 'invalid_json' : 'torn', size);
  }

  #warn(reason: FrameWarning['reason'], size: number): void {
    const message = skippedLine[reason](size);
    this.#setup.onEvents([{ type: 'metadata', kind: 'warning', reason, message }]);
  }

  async #awaitReady(): Promise<void> {
    const { startMs } = this.#setup.limits;
    const firstMessage = new Promise<void>((resolve) => {
      this.#becameReady = resolve;
    });
    const initialized = this.control.request('initialize', {}, { timeoutMs: startMs });
    const introduced = Promise.all([initialized, this.#setup.spentUsd]).then(([answer, totalCostUsd]) => {
      this.#introduction = answer;
      if (!this.#sawResult) this.#translation = { ...this.#translation, totalCostUsd };
    });
    introduced.catch(() => undefined);
    const failed = this.ended.then((error) => {
      throw error ?? new ClaudeCliError('aborted', 'The session was stopped while it was starting.');
    });
    failed.catch(() => undefined);
    try {
      await Promise.race([firstMessage, introduced, failed]);
    } catch (error) {
      if (error instanceof ClaudeCliError && error.code === 'control_timeout') {
        await this.fail('start_failed', `The program was not ready within ${startMs} ms.`);
      }
      await failed;
    }
    this.#isReady = true;
  }

  async #awaitEnd(): Promise<ClaudeCliError | undefined> {
    const end = await this.#process.ended;
    this.#splitter.end();
    this.#watch.close();
    const error = failureOf(end, {
      failure: this.#failure,
      endWasRequested: this.#endWasRequested,
      isReady: this.#isReady,
      isDone: this.#sawResult && this.#inputEnded && !this.turnIsActive,
      turnIsActive: this.turnIsActive,
    });
    this.control.close(error ?? new ClaudeCliError('aborted', 'The session ended.'));
    return error;
  }
}

function typeOf(frame: Frame): string | undefined {
  const { type } = frame.body;
  return typeof type === 'string' ? type : undefined;
}

/** The session itself reports status changes and errors that end the run. */
function isForReaders(event: ClaudeEvent): boolean {
  return event.type !== 'status_change' && !(event.type === 'error' && event.fatal);
}

/**
 * Whether a line is certainly a stream event, without parsing it. `false` only means that it has to be parsed.
 */
function isSurelyStreamEvent(line: Buffer): boolean {
  if (line[line.length - 1] !== CLOSING_BRACE) return false;
  for (let at = 0; at < DELTA_START.length; at += 1) if (line[at] !== DELTA_START[at]) return false;
  return true;
}
