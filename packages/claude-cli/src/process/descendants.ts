// Ends what a process left behind. The program runs commands in their own sessions, so a signal to its process group
// misses them. We find them by a mark that they inherit in their environment.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

export const MARK_VARIABLE = 'PARLEY_CLAUDE_MARK';

/** A scan misses the child of a process that forks and ends meanwhile, so one empty scan is not enough. */
const EMPTY_SCANS = 2;
const PAUSE_MS = 10;
const MAX_SCANS = 200;

interface Scan {
  readonly marked: readonly number[];
  /** Some process was in the middle of an exec, when nobody can see its environment. */
  readonly unsure: boolean;
}

/** Kills every process that carries the mark, until none is left. Works on Linux only; elsewhere it does nothing. */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let empty = 0;
  for (let scan = 0; scan < MAX_SCANS && empty < EMPTY_SCANS; scan += 1) {
    if (scan > 0) await setTimeout(PAUSE_MS);
    const { marked, unsure } = await scanFor(mark);
    for (const pid of marked) signalProcess(pid, 'SIGKILL');
    empty = marked.length === 0 && !unsure ? empty + 1 : 0;
  }
}

async function scanFor(mark: string): Promise<Scan> {
  const wanted = Buffer.from(`${MARK_VARIABLE}=${mark}\0`);
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked: number[] = [];
  let unsure = false;
  await Promise.all(
    pids.map(async (pid) => {
      const environment = await readProcess(pid, 'environ');
      if (environment?.includes(wanted) && pid !== process.pid) marked.push(pid);
      unsure ||= environment?.length === 0 && (await hasEnvironment(pid));
    }),
  );
  return { marked, unsure };
}

/**
 * Whether a process has an environment after all, although we read an empty one: during an exec, the kernel doesn't
 * know its place yet, or didn't a moment ago. Kernel threads and zombies have no memory and no environment.
 */
async function hasEnvironment(pid: number): Promise<boolean> {
  const stat = (await readProcess(pid, 'stat'))?.toString('latin1') ?? '';
  // The second field is the name of the program, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [vsize = '0', start, end] = [fields[20], fields[47], fields[48]];
  return vsize !== '0' && (end === '0' || end !== start);
}

/** True when the signal was delivered. A negative pid means the process group. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Undefined for processes that have ended or belong to another user. */
async function readProcess(pid: number, file: 'environ' | 'stat'): Promise<Buffer | undefined> {
  return readFile(`/proc/${pid}/${file}`).catch(() => undefined);
}
