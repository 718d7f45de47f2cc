// Runs git, with a fixed list of variables. A repository can make git run programs. Hooks and file system monitors are off here; for filters and everything else, see `changes/`.
import { ParleyError } from '@parley/protocol';
import { type ProgramEnd, runProgram } from './run-program.ts';

export interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitEnd extends ProgramEnd {
  /** As much of it as the limit allows. */
  readonly output: Buffer;
}

const usualMs = 10_000;
const usualBytes = 8 * 1024 * 1024;

const harmless = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
];

const gitVariables = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  // A partial clone would fetch missing objects with a program of its choice.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

/** Rejects with `unavailable` if there is no git, and when the signal aborts. Any exit code is a result. */
export async function runGit(run: GitRun): Promise<GitEnd> {
  const { args, cwd, variables, input, maxBytes = usualBytes, timeoutMs = usualMs, signal } = run;
  const pieces: Buffer[] = [];
  let size = 0;
  const end = await runProgram('git', {
    args: [...harmless, ...args],
    cwd,
    env: { ...gitVariables, ...variables },
    input,
    onOutput(piece) {
      pieces.push(piece);
      size += piece.byteLength;
      return size <= maxBytes;
    },
    timeoutMs,
    signal,
    toError: (cause) =>
      new ParleyError('unavailable', 'Git could not be started. Is it installed?', { cause }),
  });
  return { ...end, output: Buffer.concat(pieces).subarray(0, maxBytes) };
}
