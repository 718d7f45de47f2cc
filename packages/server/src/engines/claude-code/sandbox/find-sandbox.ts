// Finds the sandbox of this machine by starting a program in it. Being installed is not enough: containers and some
// systems forbid the namespaces that it needs.
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { bubblewrapCommand } from './bubblewrap.ts';
import { orderedRules } from './path-rules.ts';
import { sandboxExec } from './sandbox-exec.ts';
import { type SystemPaths, systemPaths } from './system-paths.ts';

export type FoundSandbox =
  | {
      readonly kind: 'bubblewrap';
      readonly bwrap: string;
      readonly canLockUsers: boolean;
      readonly system: SystemPaths;
    }
  | { readonly kind: 'sandbox-exec' }
  | NoSandbox;

export interface NoSandbox {
  readonly kind: 'none';
  readonly reason: 'missing' | 'forbidden' | 'unsupported';
  /** What the system said. */
  readonly detail?: string;
}

const longestTryMs = 10_000;

export async function findSandbox(
  searchPath: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<FoundSandbox> {
  if (platform === 'linux') return findBubblewrap(searchPath ?? '');
  if (platform !== 'darwin') return { kind: 'none', reason: 'unsupported' };
  const complaint = await tryOut(sandboxExec, ['-p', '(version 1)(allow default)', '/usr/bin/true']);
  if (complaint === undefined) return { kind: 'sandbox-exec' };
  return { kind: 'none', reason: 'forbidden', detail: complaint };
}

async function findBubblewrap(searchPath: string): Promise<FoundSandbox> {
  const bwrap = searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, 'bwrap'))
    .find(isProgram);
  if (bwrap === undefined) return { kind: 'none', reason: 'missing' };
  const system = await systemPaths();
  const rules = orderedRules(system.rules);
  let complaint = '';
  for (const canLockUsers of [true, false]) {
    const { file, args } = bubblewrapCommand(
      { bwrap, canLockUsers, links: system.links, variables: {}, rules, workingDir: '/', same: [] },
      { file: '/bin/sh', args: ['-c', ':'] },
    );
    const said = await tryOut(file, args);
    if (said === undefined) return { kind: 'bubblewrap', bwrap, canLockUsers, system };
    complaint = said;
  }
  return { kind: 'none', reason: 'forbidden', detail: complaint };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the complaint; undefined if it worked. */
function tryOut(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: longestTryMs, env: { PATH: '/usr/bin:/bin' }, maxBuffer: 64 * 1024 };
    execFile(file, [...args], options, (error, _output, complaint) =>
      resolve(error ? complaint.trim().slice(0, 500) || error.message : undefined),
    );
  });
}
