// The only error type of this package. The code is for programs, the message for people.

export type ClaudeCliErrorCode =
  /** The configuration has problems; all of them are in `problems`. */
  | 'invalid_config'
  /** An input that is empty or not a message, or an unknown permission mode. */
  | 'invalid_input'
  /** There is no `claude` program, or none at the given path. */
  | 'program_not_found'
  /** The program is too old for what is asked of it. */
  | 'program_too_old'
  /** The session's state does not allow this call. */
  | 'illegal_move'
  /** Too many recent failures; `retryAt` says when a start is possible again. */
  | 'breaker_open'
  /** The process could not be spawned, or ended before it was ready. */
  | 'start_failed'
  /** The process ended by a signal or with a failure code, and nobody asked it to. */
  | 'crashed'
  /** The stream of frames ended in the middle of a turn. */
  | 'stream_ended'
  /** The program wrote an error in place of its stream; `errorType` says which. */
  | 'model_error'
  /** A turn was silent for too long. */
  | 'turn_silent'
  /** The process did not exit after its work was done and its input was closed. */
  | 'no_exit'
  /** A reader blocked the program for too long without reading anything. */
  | 'reader_stalled'
  /** Too much input is already waiting. */
  | 'input_full'
  /** The program did not answer a control request in time. */
  | 'control_timeout'
  /** The program answered a control request with an error. */
  | 'control_refused'
  /** The session ended or the caller gave up before the answer arrived. */
  | 'aborted';

export interface ClaudeCliErrorDetails {
  readonly cause?: unknown;
  /** All problems of a configuration, one sentence each. */
  readonly problems?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly retryAt?: number;
  /** The last bytes that the program wrote to stderr. */
  readonly stderr?: string;
  readonly exitCode?: number | null;
  readonly signal?: NodeJS.Signals | null;
  /** The service's own name for the error, such as `overloaded_error`. */
  readonly errorType?: string | undefined;
}

export class ClaudeCliError extends Error {
  readonly code: ClaudeCliErrorCode;
  readonly problems: readonly string[];
  readonly retryAt: number | undefined;
  readonly stderr: string | undefined;
  readonly exitCode: number | null | undefined;
  readonly signal: NodeJS.Signals | null | undefined;
  readonly errorType: string | undefined;

  constructor(code: ClaudeCliErrorCode, message: string, details: ClaudeCliErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ClaudeCliError';
    this.code = code;
    this.problems = details.problems ?? [];
    this.retryAt = details.retryAt;
    this.stderr = details.stderr;
    this.exitCode = details.exitCode;
    this.signal = details.signal;
    this.errorType = details.errorType;
  }
}
