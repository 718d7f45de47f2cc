// Ends what a process left behind. The program runs commands in their own sessions, so a signal to its process group
// misses them. They inherit a mark in their environment, by which we find them.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

export const MARK_VARIABLE = 'PARLEY_CLAUDE_MARK';

/** A process in the middle of an exec has no visible environment for a moment, so one empty scan is not enough. */
const EMPTY_SCANS = 2;
const PAUSE_MS = 10;
const MAX_SCANS = 200;

/** Kills every process that carries the mark, until none is left. Works on Linux only; elsewhere it does nothing. */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let empty = 0;
  for (let scan = 0; scan < MAX_SCANS && empty < EMPTY_SCANS; scan += 1) {
    if (scan > 0) await setTimeout(PAUSE_MS);
    const pids = await findMarked(mark);
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    empty = pids.length === 0 ? empty + 1 : 0;
  }
}

export async function findMarked(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const wanted = Buffer.from(`${MARK_VARIABLE}=${mark}\0`);
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => ((await environmentOf(pid)).includes(wanted) ? pid : 0)),
  );
  return found.filter((pid) => pid !== 0 && pid !== process.pid);
}

/** True when the signal was delivered. A negative pid means the process group. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Empty for processes that have ended, are zombies or belong to another user. */
async function environmentOf(pid: number): Promise<Buffer> {
  try {
    return await readFile(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0);
  }
}
