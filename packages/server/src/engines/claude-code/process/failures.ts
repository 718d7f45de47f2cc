// Turns the driver's errors into errors and failed turns that say what happened and what to do.
import { ClaudeCliError } from '@parley/claude-cli';
import { type EngineFailure, type ErrorCode, ParleyError, say } from '@parley/protocol';
import { failedBecause } from '../../../domain/engine.ts';

export function toParleyError(thrown: unknown): ParleyError {
  if (!(thrown instanceof ClaudeCliError)) return ParleyError.from(thrown);
  return new ParleyError(codeOf(thrown), withAdvice(thrown), { cause: thrown });
}

/** Sending the prompt again would fail in the same way. */
const lasting: readonly ErrorCode[] = ['forbidden', 'invalid', 'not_resumable'];

export function toFailure(thrown: unknown): EngineFailure {
  const error = toParleyError(thrown);
  return failedBecause(error, !lasting.includes(error.code));
}

function codeOf({ code }: ClaudeCliError): ErrorCode {
  switch (code) {
    case 'invalid_config':
    case 'invalid_input':
    case 'control_refused':
      return 'invalid';
    case 'illegal_move':
      return 'conflict';
    case 'input_full':
      return 'busy';
    case 'program_not_found':
    case 'program_too_old':
    case 'breaker_open':
    case 'start_failed':
    case 'crashed':
    case 'stream_ended':
    case 'model_error':
    case 'turn_silent':
    case 'no_exit':
    case 'reader_stalled':
    case 'control_timeout':
    case 'aborted':
      return 'unavailable';
    default:
      return code satisfies never;
  }
}

function withAdvice({ code, message }: ClaudeCliError): string {
  switch (code) {
    case 'crashed':
    case 'stream_ended':
    case 'model_error':
    case 'turn_silent':
      return say`${message} Send the message again to continue.`;
    case 'program_not_found':
      return say`${message} Set PARLEY_CLAUDE_PATH to its path.`;
    default:
      return message;
  }
}

export function inTerminal(): ParleyError {
  return new ParleyError(
    'in_terminal',
    'This session is open in a terminal. Continue there, or take it over.',
  );
}

export function allBusy(most: number): ParleyError {
  return new ParleyError(
    'busy',
    `All ${most} claude processes are busy. Wait until one is done, or raise claude.maxProcesses.`,
  );
}
