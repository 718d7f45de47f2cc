// The people of the demo, and where its data is: in Parley's home, separate from real data.
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

/** The home of the `claude` program in the demo, separate from the user's own. */
export function demoProgramHome(home: string): string {
  return join(demoFolder(home), 'claude-home');
}
