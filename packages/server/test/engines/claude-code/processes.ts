// Finds the `claude` processes of a test by the home folder in their environment.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Only the program itself: its tools run with the same home, and each of its children is an exact copy of it for a
 * moment, between fork and exec.
 */
export function programsIn(root: string, session = ''): number[] {
  const home = `HOME=${join(root, 'home')}`;
  const alike = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [program = '', ...args] = read(`/proc/${pid}/cmdline`);
      return (
        program.endsWith('/claude') &&
        args.some((arg) => /^--(resume|session-id)/.test(arg) && arg.includes(session)) &&
        read(`/proc/${pid}/environ`).includes(home) &&
        isAlive(pid)
      );
    });
  return alike.filter((pid) => !alike.includes(parentOf(pid)));
}

function parentOf(pid: number): number {
  const [stat = ''] = read(`/proc/${pid}/stat`);
  return Number(/^\d+ \(.*\) \S (\d+)/.exec(stat)?.[1]);
}

/** A zombie, which only waits for its parent, does not count as alive. */
export function isAlive(pid: number): boolean {
  const [stat = ''] = read(`/proc/${pid}/stat`);
  return stat !== '' && !/^\d+ \(.*\) [ZX]/.test(stat);
}

function read(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\0');
  } catch {
    return [];
  }
}
