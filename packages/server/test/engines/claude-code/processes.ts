// Which `claude` processes a test has running, told by the home folder in their environment.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only the program itself: its tools run with the same home. */
export function programsIn(root: string): number[] {
  const home = `HOME=${join(root, 'home')}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [program = '', ...args] = read(`/proc/${pid}/cmdline`);
      return (
        program.endsWith('/claude') &&
        args.some((arg) => /^--(resume|session-id)/.test(arg)) &&
        read(`/proc/${pid}/environ`).includes(home) &&
        isAlive(pid)
      );
    });
}

/** A zombie, which only waits for its parent to take note, is not alive. */
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
