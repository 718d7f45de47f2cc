// Ends what a process left behind. The program puts the commands it runs into sessions of their own, so a signal
// to its process group misses them; they are known by a mark in the environment that they inherited.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

export const MARK_VARIABLE = 'PARLEY_CLAUDE_MARK';

/** A process in the middle of an exec shows no environment for a moment, so one look that finds nobody is not enough. */
const CLEAN_LOOKS = 2;
const PAUSE_MS = 10;
const MAX_LOOKS = 200;

/** Kills every process that carries the mark, until none is left. Only Linux lets us look; elsewhere it does nothing. */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let clean = 0;
  for (let look = 0; look < MAX_LOOKS && clean < CLEAN_LOOKS; look += 1) {
    if (look > 0) await setTimeout(PAUSE_MS);
    const pids = await findMarked(mark);
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    clean = pids.length === 0 ? clean + 1 : 0;
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

/** Empty for processes that ended, that are zombies or that belong to somebody else. */
async function environmentOf(pid: number): Promise<Buffer> {
  try {
    return await readFile(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0);
  }
}
