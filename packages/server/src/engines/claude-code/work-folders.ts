// Working directories: only those below the configured roots, judged by the real path. Lists their folders for a picker,
// with the git state of working trees.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { ParleyError } from '@parley/protocol';
import type { WorkFolder, WorkFolders } from '../../domain/work-folders.ts';
import { gitState } from './git-state.ts';

const mostFolders = 500;
/** Folders whose git state is read at the same time. */
const gitAtOnce = 8;

export function createWorkFolders({ roots }: { readonly roots: readonly string[] }): WorkFolders {
  async function realRoots(): Promise<readonly string[]> {
    const found = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
    return [...new Set(found.filter((root) => root !== undefined))];
  }

  async function check(path: string): Promise<string> {
    if (roots.length === 0) throw noRoots();
    if (!isAbsolute(path) || path.includes('\0')) {
      throw new ParleyError('invalid', 'A working directory is given as an absolute path.');
    }
    const allowed = await realRoots();
    const real = await realpath(path).catch(() => undefined);
    // Nobody may learn whether a folder outside exists: it gets the same answer.
    if (real === undefined || !allowed.some((root) => isWithin(real, root))) throw outside(path, roots);
    if (!(await stat(real)).isDirectory()) throw new ParleyError('invalid', `${path} is not a folder.`);
    return real;
  }

  return {
    check,

    async listDirectories(_person, path) {
      if (roots.length === 0) throw noRoots();
      const allowed = await realRoots();
      if (path === undefined) {
        const folders = await describe(allowed);
        return { path: undefined, parent: undefined, folders, isCut: false };
      }
      const real = await check(path);
      const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
      const names = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => entry.name)
        .sort((a, b) => a.localeCompare(b));
      const folders = await describe(names.slice(0, mostFolders).map((name) => join(real, name)));
      const parent = allowed.includes(real) ? undefined : dirname(real);
      return { path: real, parent, folders, isCut: names.length > mostFolders };
    },
  };
}

async function describe(paths: readonly string[]): Promise<WorkFolder[]> {
  const folders: WorkFolder[] = [];
  for (let at = 0; at < paths.length; at += gitAtOnce) {
    const some = paths.slice(at, at + gitAtOnce);
    folders.push(
      ...(await Promise.all(
        some.map(async (path) => ({ name: basename(path) || path, path, git: await gitState(path) })),
      )),
    );
  }
  return folders;
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function noRoots(): ParleyError {
  return new ParleyError(
    'forbidden',
    'No working directories are allowed yet. Set PARLEY_WORK_ROOTS (workRoots in parley.config.json) to the folders of your projects.',
  );
}

function outside(path: string, roots: readonly string[]): ParleyError {
  return new ParleyError(
    'forbidden',
    `${path} is not a folder below the allowed working directories (${roots.join(', ')}). PARLEY_WORK_ROOTS allows more.`,
  );
}
