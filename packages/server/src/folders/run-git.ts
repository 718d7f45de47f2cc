// Runs git: without a shell, with a fixed list of variables, and with limits on time and output. A repository can make
// git run programs. Hooks and file system monitors are off here; for filters and everything else, see `changes/`.
import { spawn } from 'node:child_process';
import { ParleyError } from '@parley/protocol';

export interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly mostBytes?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitEnd {
  /** Null if it was stopped. */
  readonly exitCode: number | null;
  /** As much of it as the limit allows. */
  readonly output: Buffer;
  readonly errors: string;
  readonly stoppedBy?: 'size' | 'time';
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
  const { args, cwd, variables, input, mostBytes = usualBytes, timeoutMs = usualMs, signal } = run;
  signal?.throwIfAborted();
  const child = spawn('git', [...harmless, ...args], {
    cwd,
    env: { ...gitVariables, ...variables },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  let errors = '';
  let stoppedBy: GitEnd['stoppedBy'];
  const kill = (): void => void child.kill('SIGKILL');
  const stop = (reason: 'size' | 'time'): void => {
    stoppedBy ??= reason;
    kill();
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    if (stoppedBy !== undefined) return;
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > mostBytes) stop('size');
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 4_000);
  });
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined).end(input);
  const timer = setTimeout(() => stop('time'), timeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', (cause) => {
        reject(new ParleyError('unavailable', 'Git could not be started. Is it installed?', { cause }));
      });
    });
    signal?.throwIfAborted();
    const output = Buffer.concat(chunks).subarray(0, mostBytes);
    return { exitCode, output, errors, ...(stoppedBy && { stoppedBy }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}
