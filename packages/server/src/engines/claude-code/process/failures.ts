// The driver's errors as errors and failed turns that say what happened and what to do.
import { ClaudeCliError } from '@parley/claude-cli';
import { type EngineFailure, type ErrorCode, ParleyError } from '@parley/protocol';

export function toParleyError(thrown: unknown): ParleyError {
  if (!(thrown instanceof ClaudeCliError)) return ParleyError.from(thrown);
  return new ParleyError(codeOf(thrown), `${thrown.message}${adviceOn(thrown)}`, { cause: thrown });
}

export function toFailure(thrown: unknown): EngineFailure {
  const { code, message } = toParleyError(thrown);
  return { type: 'failed', code, message, recoverable: code !== 'forbidden' && code !== 'invalid' };
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
    case 'breaker_open':
    case 'start_failed':
    case 'crashed':
    case 'stream_ended':
    case 'turn_silent':
    case 'no_exit':
    case 'control_timeout':
    case 'aborted':
      return 'unavailable';
    default:
      return code satisfies never;
  }
}

function adviceOn({ code }: ClaudeCliError): string {
  switch (code) {
    case 'crashed':
    case 'stream_ended':
    case 'turn_silent':
      return ' Send the message again to go on from where the session is.';
    case 'program_not_found':
      return ' PARLEY_CLAUDE_PATH names it.';
    default:
      return '';
  }
}
