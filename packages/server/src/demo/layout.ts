// Who lives in the demo, and where its data is: apart from real data, below the home of Parley.
import { join } from 'node:path';

export const demoPeople = ['sebastian', 'petra'] as const;

export function demoFolder(home: string): string {
  return join(home, 'demo');
}

export function demoVaultRoot(home: string): string {
  return join(demoFolder(home), 'notes');
}

/** Where Claude Code may work in the demo. */
export function demoProjectsRoot(home: string): string {
  return join(demoFolder(home), 'projects');
}

/** The home of the `claude` program in the demo, apart from the user's own. */
export function demoProgramHome(home: string): string {
  return join(demoFolder(home), 'claude-home');
}
