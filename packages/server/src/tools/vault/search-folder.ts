// Searches a folder with ripgrep: without a shell, configuration or environment, and with a query that cannot be taken for
// an option.
import { type ChildProcess, spawn } from 'node:child_process';
import { ParleyError } from '@parley/protocol';
import type { Folder } from './folder.ts';

export interface SearchOptions {
  readonly query: string;
  readonly isRegex: boolean;
  readonly maxMatches: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Match {
  /** Relative to the searched folder. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface SearchResult {
  readonly matches: readonly Match[];
  /** Why the search stopped early. */
  readonly stoppedBy?: 'matches' | 'time';
}

export async function searchFolder(folder: Folder, options: SearchOptions): Promise<SearchResult> {
  const { signal, timeoutMs, maxMatches, maxBytes } = options;
  signal.throwIfAborted();
  const child = spawn(await ripgrepPath(), searchArguments(options), {
    cwd: folder.path,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const matches: Match[] = [];
  let rest = '';
  let bytes = 0;
  let errors = '';
  let stoppedBy: SearchResult['stoppedBy'];
  const kill = (): void => void child.kill('SIGKILL');
  const stop = (reason: 'matches' | 'time'): void => {
    stoppedBy ??= reason;
    kill();
  };
  const read = (text: string): void => {
    if (stoppedBy !== undefined) return;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = parseLine(line);
      if (match === undefined) continue;
      bytes += Buffer.byteLength(line);
      if (matches.length >= maxMatches || bytes > maxBytes) return stop('matches');
      matches.push(match);
    }
    // ripgrep shortens lines, so an endless one is not a result.
    if (rest.length > maxBytes) stop('matches');
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 2_000);
  });
  const timer = setTimeout(() => stop('time'), timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const code = await exitOf(child);
    signal.throwIfAborted();
    if (code === 2 && matches.length === 0) throw refusal(errors, options);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
  return { matches, ...(stoppedBy === undefined ? {} : { stoppedBy }) };
}

function searchArguments({ query, isRegex }: SearchOptions): readonly string[] {
  return [
    '--no-config',
    '--no-follow',
    '--no-ignore',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--null',
    '--smart-case',
    '--sort=path',
    '--max-columns=400',
    '--max-columns-preview',
    '--max-filesize=16M',
    ...(isRegex ? [] : ['--fixed-strings']),
    '-e',
    query,
    '--',
    '.',
  ];
}

/** The exit code; null when the process was killed. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', (cause) => {
      reject(new ParleyError('unavailable', 'The search could not be started.', { cause }));
    });
  });
}

function refusal(errors: string, { isRegex }: SearchOptions): ParleyError {
  const reason = errors.replace(/^rg: /, '').trim().slice(0, 500);
  if (isRegex) return new ParleyError('invalid', `The query is not a valid regular expression: ${reason}`);
  const cause = new Error(reason);
  return new ParleyError('unavailable', 'The search failed. Try another query or folder.', { cause });
}

/** `<path> NUL <number>:<text>` */
function parseLine(line: string): Match | undefined {
  const end = line.indexOf('\0');
  const colon = line.indexOf(':', end);
  if (end < 0 || colon < 0) return undefined;
  return {
    path: line.slice(0, end).replace(/^\.[\\/]/, ''),
    line: Number(line.slice(end + 1, colon)),
    text: line.slice(colon + 1).trimEnd(),
  };
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
