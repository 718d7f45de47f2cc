// Runs ripgrep in an open folder: without a shell, configuration or environment, and with limits on time and output.
import { spawn } from 'node:child_process';
import { ParleyError } from '@parley/protocol';
import type { Folder } from './folder.ts';

export interface RipgrepRun {
  readonly folder: Folder;
  readonly args: readonly string[];
  /** Ends each record of the output. */
  readonly separator: '\n' | '\0';
  /** Called with each record. False ends the run. */
  readonly onRecord: (record: string) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RipgrepEnd {
  /** Null if it was stopped. */
  readonly exitCode: number | null;
  readonly errors: string;
  /** Why it was stopped early. */
  readonly stoppedBy?: 'matches' | 'time';
}

/** ripgrep shortens lines, so a longer record is not a result. */
const longestRecord = 64 * 1024;

export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { folder, args, separator, onRecord, timeoutMs, signal } = run;
  signal.throwIfAborted();
  const child = spawn(await ripgrepPath(), ['--no-config', '--no-follow', '--color=never', ...args], {
    cwd: folder.path,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let rest = '';
  let errors = '';
  let stoppedBy: RipgrepEnd['stoppedBy'];
  const kill = (): void => void child.kill('SIGKILL');
  const stop = (reason: 'matches' | 'time'): void => {
    stoppedBy ??= reason;
    kill();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stoppedBy !== undefined) return;
    const records = (rest + text).split(separator);
    rest = records.pop() ?? '';
    if (!records.every(onRecord) || rest.length > longestRecord) stop('matches');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 2_000);
  });
  const timer = setTimeout(() => stop('time'), timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', (cause) => {
        reject(new ParleyError('unavailable', 'The search could not be started.', { cause }));
      });
    });
    signal.throwIfAborted();
    return { exitCode, errors, ...(stoppedBy && { stoppedBy }) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

/** Arguments that leave out these paths below the searched folder. A path may contain any character. */
export function excludeArgs(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => ['--glob', `!/${path.replaceAll(/[\\*?[\]{}]/g, '\\$&')}`]);
}

/** Loaded on first use: on a platform without ripgrep the module throws, and only search must fail then. */
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (cause) {
    throw new ParleyError(
      'unavailable',
      'Search does not work because ripgrep is not installed for this system. Run npm install again.',
      { cause },
    );
  }
}
