// Finds out what a version of the program can do, from its own `--version` and `--help`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programCommand } from './discover.ts';

const run = promisify(execFile);

export interface Capabilities {
  readonly version: string;
  /** The flags that `--help` lists, such as `--effort`. */
  readonly flags: ReadonlySet<string>;
}

/** The first version that speaks the control protocol, without which nothing works. */
export const OLDEST_VERSION = '1.0.63';
/** The first version that accepts an id for a fork; older ones choose it. */
const FIRST_WITH_FORK_ID = '2.0.73';

/** Flags that older versions have but don't list in `--help`. All versions since `OLDEST_VERSION` have them. */
const unlisted: ReadonlySet<string> = new Set([
  '--max-turns',
  '--permission-prompt-tool',
  '--resume-session-at',
  '--system-prompt',
]);

const TIMEOUT_MS = 30_000;

/** Undefined if the program does not answer, or not in the expected format, or if the signal aborts. */
export async function readCapabilities(
  program: string,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Capabilities | undefined> {
  const { file, args } = programCommand(program);
  const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 } as const;
  const options = { env: environment, cwd: '/', signal, ...limits };
  try {
    const [version, help] = await Promise.all(
      ['--version', '--help'].map((flag) => run(file, [...args, flag], options)),
    );
    return parseCapabilities(version?.stdout ?? '', help?.stdout ?? '');
  } catch {
    return undefined;
  }
}

function parseCapabilities(versionOutput: string, help: string): Capabilities | undefined {
  const version = /\d+\.\d+\.\d+/.exec(versionOutput)?.[0];
  const defined = [...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)((?:, --[\w-]+)*)/gm)];
  const flags = new Set(
    defined.flatMap(([, first = '', more = '']) => [first, ...more.split(', ').slice(1)]),
  );
  return version === undefined || flags.size === 0 ? undefined : { version, flags };
}

export function hasFlag({ flags }: Capabilities, flag: string): boolean {
  return flags.has(flag) || unlisted.has(flag);
}

export function acceptsForkId({ version }: Capabilities): boolean {
  return !isOlder(version, FIRST_WITH_FORK_ID);
}

export function isTooOld(version: string): boolean {
  return isOlder(version, OLDEST_VERSION);
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}
