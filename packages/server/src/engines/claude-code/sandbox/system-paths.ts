// The system folders that every program needs, if they exist. In /etc, a program sees only what any user of the machine
// may read, even if the server runs as root.
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin, type PathRule, rulesFor } from './path-rules.ts';

export interface SystemPaths {
  readonly links: readonly { readonly path: string; readonly target: string }[];
  readonly rules: readonly PathRule[];
}

const folders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix/store',
  '/run/current-system',
];

/**
 * Read-only, because these belong to root and the kernel doesn't check capabilities there: if the server runs as root,
 * programs could change the settings of the machine.
 */
const machine = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map((name) =>
  join('/proc', name),
);

/** Files that may be links out of the folders above. */
const files = ['/etc/resolv.conf', '/etc/hosts', '/etc/localtime'];

const othersMayRead = 0o004;
const othersMayEnter = 0o001;
const deepest = 6;

export async function systemPaths(): Promise<SystemPaths> {
  const links: SystemPaths['links'][number][] = [];
  const rules: PathRule[] = [];
  for (const path of folders) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink()) links.push({ path, target: await readlink(path) });
    else if (found?.isDirectory()) rules.push({ path, access: 'read', isFile: false });
  }
  for (const file of files) {
    const real = await realpath(file).catch(() => undefined);
    if (real !== undefined && !folders.some((folder) => isWithin(real, folder)))
      rules.push({ path: real, access: 'read', isFile: true });
  }
  return {
    links,
    rules: [...rules, ...(await rulesFor('read', machine)), ...(await privatePaths('/etc'))],
  };
}

/** Hides folders that are too deep to look at, because something in them may be private. */
export async function privatePaths(folder: string, depth = 0): Promise<readonly PathRule[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly PathRule[]> => {
      if (!entry.isDirectory() && !entry.isFile()) return [];
      const path = join(folder, entry.name);
      const { mode } = (await lstat(path).catch(() => undefined)) ?? { mode: 0 };
      const needed = entry.isDirectory() ? othersMayRead | othersMayEnter : othersMayRead;
      const isTooDeep = entry.isDirectory() && depth === deepest;
      if ((mode & needed) !== needed || isTooDeep) return [{ path, access: 'hide', isFile: entry.isFile() }];
      return entry.isDirectory() ? privatePaths(path, depth + 1) : [];
    }),
  );
  return found.flat();
}
