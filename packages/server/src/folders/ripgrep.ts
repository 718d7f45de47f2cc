// Runs ripgrep in an open folder, without configuration or environment.
import { StringDecoder } from 'node:string_decoder';
import { ParleyError } from '@parley/protocol';
import type { Folder } from './folder.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

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

/** ripgrep shortens lines, so a longer record is not a result. */
const longestRecord = 64 * 1024;

export async function runRipgrep(run: RipgrepRun): Promise<ProgramEnd> {
  const { folder, args, separator, onRecord, timeoutMs, signal } = run;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return runProgram(await ripgrepPath(), {
    args: ['--no-config', '--no-follow', '--color=never', ...args],
    cwd: folder.path,
    env: {},
    onOutput(piece) {
      const records = (rest + decoder.write(piece)).split(separator);
      rest = records.pop() ?? '';
      return records.every(onRecord) && rest.length <= longestRecord;
    },
    timeoutMs,
    signal,
    toError: (cause) => new ParleyError('unavailable', 'The search could not be started.', { cause }),
  });
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
