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
    const reason = end.spawnError.message;
    return withEnd('start_failed', `The program could not be started: ${reason}.`, end);
  }
  const { signal, code } = end;
  if (!run.isReady) {
    return withEnd(
      'start_failed',
      signal
        ? `The program was ended by ${signal} before it was ready.`
        : `The program exited with code ${code} before it was ready.`,
      end,
    );
  }
  if (signal === null && run.isDone) return undefined;
  if (signal !== null) {
    return withEnd(
      'crashed',
      run.turnIsActive
        ? `The program was ended by ${signal} in the middle of a turn.`
        : `The program was ended by ${signal}.`,
      end,
    );
  }
  if (code !== 0) {
    return withEnd(
      'crashed',
      run.turnIsActive
        ? `The program exited with code ${code} in the middle of a turn.`
        : `The program exited with code ${code}.`,
      end,
    );
  }
  if (!run.turnIsActive) return undefined;
  return withEnd('stream_ended', `The program exited with code ${code} before the turn's result.`, end);
}

function withEnd(
  code: ClaudeCliErrorCode,
  message: string,
  end: ProcessEnd,
  { errorType }: Pick<ClaudeCliErrorDetails, 'errorType'> = {},
): ClaudeCliError {
  const stderr = end.stderr.slice(-2_000).trim();
  return new ClaudeCliError(code, stderr === '' ? message : `${message} It wrote “${stderr}” to stderr.`, {
    cause: end.spawnError,
    stderr: end.stderr,
    exitCode: end.code,
    signal: end.signal,
    errorType,
  });
}
