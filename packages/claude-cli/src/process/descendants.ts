// Ends what a process left behind. The program puts the commands it runs into sessions of their own, so a signal
// to its process group misses them; they are known by a mark in the environment that they inherited.
import { readdir, readFile } from 'node:fs/promises';

export const MARK_VARIABLE = 'PARLEY_CLAUDE_MARK';

/** A process that forks while we look is found in the next round. */
const MAX_ROUNDS = 5;

/** Kills every process that carries the mark. Only Linux lets us look; elsewhere this does nothing. */
export async function killMarked(mark: string): Promise<number> {
  let killed = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const pids = await findMarked(mark);
    if (pids.length === 0) break;
    for (const pid of pids) if (signalProcess(pid, 'SIGKILL')) killed += 1;
  }
  return killed;
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
