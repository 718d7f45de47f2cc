// Searches a folder with ripgrep: without a shell, configuration or environment, and with a query that cannot be taken for
// an option.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
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
  options.signal.throwIfAborted();
  const child = spawn(await ripgrepPath(), searchArguments(options), {
    cwd: folder.path,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const search = new RunningSearch(child, options);
  return search.result();
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

class RunningSearch {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #options: SearchOptions;
  readonly #matches: Match[] = [];
  #rest = '';
  #bytes = 0;
  #errors = '';
  #stoppedBy: SearchResult['stoppedBy'];

  constructor(child: ChildProcessByStdio<null, Readable, Readable>, options: SearchOptions) {
    this.#child = child;
    this.#options = options;
  }

  async result(): Promise<SearchResult> {
    const { signal, timeoutMs } = this.#options;
    const kill = (): void => void this.#child.kill('SIGKILL');
    const timer = setTimeout(() => this.#stop('time'), timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    try {
      const code = await this.#run();
      signal.throwIfAborted();
      if (code === 2 && this.#matches.length === 0) throw this.#refusal();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    }
    return {
      matches: this.#matches,
      ...(this.#stoppedBy === undefined ? {} : { stoppedBy: this.#stoppedBy }),
    };
  }

  /** The exit code; null when the process was killed. */
  #run(): Promise<number | null> {
    const { stdout, stderr } = this.#child;
    stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(0, 2_000);
    });
    return new Promise((resolve, reject) => {
      this.#child.once('close', resolve);
      this.#child.once('error', (cause) => {
        reject(new ParleyError('unavailable', 'The search could not be started.', { cause }));
      });
    });
  }

  #read(text: string): void {
    if (this.#stoppedBy !== undefined) return;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = parseLine(line);
      if (match === undefined) continue;
      this.#bytes += Buffer.byteLength(line);
      if (this.#matches.length >= this.#options.maxMatches || this.#bytes > this.#options.maxBytes) {
        return this.#stop('matches');
      }
      this.#matches.push(match);
    }
    // ripgrep shortens lines, so an endless one is not a result.
    if (this.#rest.length > this.#options.maxBytes) this.#stop('matches');
  }

  #stop(reason: 'matches' | 'time'): void {
    this.#stoppedBy ??= reason;
    this.#child.kill('SIGKILL');
  }

  #refusal(): ParleyError {
    const reason = this.#errors.replace(/^rg: /, '').trim().slice(0, 500);
    if (this.#options.isRegex) {
      return new ParleyError('invalid', `The query is not a valid regular expression: ${reason}`);
    }
    return new ParleyError('unavailable', 'The search failed. Try another query or folder.', {
      cause: new Error(reason),
    });
  }
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
