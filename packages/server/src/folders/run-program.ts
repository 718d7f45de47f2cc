// Runs a program without a shell, with limits on time and output.
import { spawn } from 'node:child_process';
import type { ParleyError } from '@parley/protocol';

export interface ProgramRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array | undefined;
  /** Called with each piece of the output. False ends the run. */
  readonly onOutput: (piece: Buffer) => boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What to throw if it can't be started. */
  readonly toError: (cause: unknown) => ParleyError;
}

export interface ProgramEnd {
  /** Null if it was stopped. */
  readonly exitCode: number | null;
  /** The start of it. */
  readonly errors: string;
  /** Why it was stopped early. */
  readonly stoppedBy?: 'output' | 'time';
}

const maxErrors = 4_000;

/** Rejects when the signal aborts. Any exit code is a result. */
export async function runProgram(command: string, run: ProgramRun): Promise<ProgramEnd> {
  const { args, cwd, env, input, onOutput, timeoutMs, signal, toError } = run;
  signal?.throwIfAborted();
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = spawn(command, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'], windowsHide: true });
  let errors = '';
  let stoppedBy: ProgramEnd['stoppedBy'];
  const kill = (): void => void child.kill('SIGKILL');
  const stop = (reason: 'output' | 'time'): void => {
    stoppedBy ??= reason;
    kill();
  };
  child.stdout?.on('data', (piece: Buffer) => {
    if (stoppedBy === undefined && !onOutput(piece)) stop('output');
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, maxErrors);
  });
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined).end(input);
  const timer = setTimeout(() => stop('time'), timeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', (cause) => reject(toError(cause)));
    });
    signal?.throwIfAborted();
    return { exitCode, errors, ...(stoppedBy && { stoppedBy }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}
