// Finds lines in the text files of a folder. The query is never read as an option.
import { ParleyError } from '@parley/protocol';
import type { Folder } from './folder.ts';
import { excludeArgs, runRipgrep } from './ripgrep.ts';

export interface SearchOptions {
  readonly query: string;
  readonly isRegex: boolean;
  /** Leaves out what the folder's ignore files name. */
  readonly skipsIgnored?: boolean;
  /** Paths to leave out. */
  readonly hidden?: readonly string[];
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
  readonly stoppedBy?: 'output' | 'time';
}

export async function searchFolder(folder: Folder, options: SearchOptions): Promise<SearchResult> {
  const { signal, timeoutMs, maxMatches, maxBytes } = options;
  const matches: Match[] = [];
  let bytes = 0;
  /** The start of a name with a line break in it. */
  let held = '';
  const { exitCode, errors, stoppedBy } = await runRipgrep({
    folder,
    args: searchArguments(options),
    separator: '\n',
    onRecord: (record) => {
      const line = held + record;
      held = isPartOfName(record) && line.length < longestName ? `${line}\n` : '';
      const match = held === '' ? parseLine(line) : undefined;
      if (match === undefined) return true;
      bytes += Buffer.byteLength(line);
      if (matches.length >= maxMatches || bytes > maxBytes) return false;
      matches.push(match);
      return true;
    },
    timeoutMs,
    signal,
  });
  if (exitCode === 2 && matches.length === 0) throw refusal(errors, options);
  return { matches, ...(stoppedBy && { stoppedBy }) };
}

function searchArguments({
  query,
  isRegex,
  skipsIgnored = false,
  hidden = [],
}: SearchOptions): readonly string[] {
  return [
    ...(skipsIgnored ? ['--hidden', '--no-require-git'] : ['--no-ignore']),
    ...excludeArgs(hidden),
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

function refusal(errors: string, { isRegex }: SearchOptions): ParleyError {
  const reason = errors.replace(/^rg: /, '').trim().slice(0, 500);
  if (isRegex) return new ParleyError('invalid', `The query is not a valid regular expression: ${reason}`);
  const cause = new Error(reason);
  return new ParleyError('unavailable', 'The search failed. Try another query or folder.', { cause });
}

const longestName = 4_096;

/** Every match names its file up to a NUL. A note about a binary file has none. */
function isPartOfName(record: string): boolean {
  return !record.includes('\0') && !record.includes(': binary file matches');
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
