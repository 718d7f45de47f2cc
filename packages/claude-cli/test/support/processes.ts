// Looks at processes from outside, as the operating system sees them.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { MARK_VARIABLE } from '../../src/process/descendants.ts';

/** A zombie, which only waits for its parent to reap it, is not alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The mark is random for each process of a session, and everything it starts inherits it. */
export async function markOf(pid: number): Promise<string> {
  for (;;) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    const mark = new RegExp(`${MARK_VARIABLE}=([^\\0]+)`).exec(environment)?.[1];
    // Between fork and exec a process still has the environment of its parent.
    if (mark !== undefined) return mark;
  }
}

/** The processes that carry a mark. None where there is no /proc. */
export async function findMarked(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, at) => environments[at]?.includes(`${MARK_VARIABLE}=${mark}\0`));
}
