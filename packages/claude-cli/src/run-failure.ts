// Decides whether a run of the program failed, and says why.
import { ClaudeCliError, type ClaudeCliErrorCode, type ClaudeCliErrorDetails } from './errors.ts';
import type { ProcessEnd } from './process/claude-process.ts';

export interface RunState {
  /** Why the run was ended, if something was wrong with it. */
  readonly failure: ClaudeCliError | undefined;
  readonly endWasRequested: boolean;
  readonly isReady: boolean;
  /** All input was answered, and no more follows. */
  readonly isDone: boolean;
  readonly turnIsActive: boolean;
}

/** Undefined after a normal end. */
export function failureOf(end: ProcessEnd, run: RunState): ClaudeCliError | undefined {
  if (run.failure) return withEnd(run.failure.code, run.failure.message, end, run.failure);
  if (run.endWasRequested) return undefined;
  if (end.spawnError) {
    return withEnd('start_failed', `The program could not be started: ${end.spawnError.message}.`, end);
  }
  const how = end.signal ? `was ended by ${end.signal}` : `exited with code ${end.code}`;
  if (!run.isReady) return withEnd('start_failed', `The program ${how} before it was ready.`, end);
  if (end.signal === null && run.isDone) return undefined;
  if (end.signal !== null || end.code !== 0) {
    const when = run.turnIsActive ? ' in the middle of a turn' : '';
    return withEnd('crashed', `The program ${how}${when}.`, end);
  }
  if (!run.turnIsActive) return undefined;
  return withEnd('stream_ended', `The program ${how} before the turn's result.`, end);
}

function withEnd(
  code: ClaudeCliErrorCode,
  message: string,
  end: ProcessEnd,
  { errorType }: Pick<ClaudeCliErrorDetails, 'errorType'> = {},
): ClaudeCliError {
  const complaint = end.stderr === '' ? '' : ` It wrote to stderr: ${end.stderr.slice(-2_000)}`;
  return new ClaudeCliError(code, `${message}${complaint}`, {
    cause: end.spawnError,
    stderr: end.stderr,
    exitCode: end.code,
    signal: end.signal,
    errorType,
  });
}
