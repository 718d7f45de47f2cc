// Decides where people may work: only in folders below the configured roots, judged by the real path. If one root is
// inside another, the inner one counts. Also lists folders for a picker, with their git state.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { ParleyError, type PersonName } from '@parley/protocol';
import type { SandboxMode, WorkFolder, WorkFolders, WorkRoot } from '../../domain/work-folders.ts';
import { gitState } from './git-state.ts';
import type { FoundSandbox } from './sandbox/find-sandbox.ts';
import { isWithin } from './sandbox/path-rules.ts';
import { sandboxView } from './sandbox/sandbox.ts';

const maxFolders = 500;
/** Folders whose git state is read at the same time. */
const gitAtOnce = 8;

export interface WorkFoldersOptions {
  readonly roots: readonly WorkRoot[];
  /** For roots without a mode of their own. */
  readonly sandbox?: SandboxMode;
  /** The sandbox of this machine. */
  readonly found?: () => FoundSandbox;
}

export function createWorkFolders({
  roots,
  sandbox = 'off',
  found = () => ({ kind: 'none', reason: 'unsupported' }),
}: WorkFoldersOptions): WorkFolders {
  /** The roots with their real paths, as last resolved. */
  let known = roots;

  async function realRoots(): Promise<readonly WorkRoot[]> {
    const resolved = await Promise.all(
      roots.map(async (root) => ({ ...root, path: await realpath(root.path).catch(() => undefined) })),
    );
    known = resolved.filter((root): root is WorkRoot => root.path !== undefined);
    return known;
  }

  const sandboxOf = (path: string) => sandboxView(innermost(known, path)?.sandbox ?? sandbox, found());

  async function describe(paths: readonly string[]): Promise<WorkFolder[]> {
    const folders: WorkFolder[] = [];
    for (let at = 0; at < paths.length; at += gitAtOnce) {
      const some = paths.slice(at, at + gitAtOnce).map(async (path) => ({
        name: basename(path) || path,
        path,
        git: await gitState(path),
        sandbox: sandboxOf(path),
      }));
      folders.push(...(await Promise.all(some)));
    }
    return folders;
  }

  async function check(person: PersonName, path: string): Promise<string> {
    const usable = roots.filter((root) => mayUse(person, root));
    if (usable.length === 0) throw noRoots();
    if (!isAbsolute(path) || path.includes('\0')) {
      throw new ParleyError('invalid', 'The work folder must be an absolute path.');
    }
    const [allowed, real] = await Promise.all([realRoots(), realpath(path).catch(() => undefined)]);
    // A missing folder gets the same answer, so that nobody learns what exists outside.
    if (real === undefined || !isOpen(person, allowed, real)) throw outside(path, usable);
    if (!(await stat(real)).isDirectory()) throw new ParleyError('invalid', `${path} is not a folder.`);
    return real;
  }

  return {
    check,

    sandboxOf,

    async rootOf(path) {
      return innermost(await realRoots(), path)?.path;
    },

    async foreignRoots(person) {
      return (await realRoots()).filter((root) => !mayUse(person, root)).map((root) => root.path);
    },

    async listDirectories(person, path) {
      const all = await realRoots();
      const allowed = [...new Set(all.filter((root) => mayUse(person, root)).map((root) => root.path))];
      if (path === undefined) {
        if (!roots.some((root) => mayUse(person, root))) throw noRoots();
        const folders = await describe(allowed);
        return { path: undefined, parent: undefined, sandbox: undefined, folders, isCut: false };
      }
      const real = await check(person, path);
      const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
      const names = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => entry.name)
        .filter((name) => isOpen(person, all, join(real, name)))
        .sort((a, b) => a.localeCompare(b));
      const folders = await describe(names.slice(0, maxFolders).map((name) => join(real, name)));
      const parent = allowed.includes(real) ? undefined : dirname(real);
      return { path: real, parent, sandbox: sandboxOf(real), folders, isCut: names.length > maxFolders };
    },
  };
}

function mayUse(person: PersonName, { people }: WorkRoot): boolean {
  return people === undefined || people.includes(person);
}

function innermost(roots: readonly WorkRoot[], path: string): WorkRoot | undefined {
  const around = roots.filter((root) => isWithin(path, root.path));
  return around.sort((a, b) => b.path.length - a.path.length)[0];
}

function isOpen(person: PersonName, roots: readonly WorkRoot[], path: string): boolean {
  const root = innermost(roots, path);
  return root !== undefined && mayUse(person, root);
}

function noRoots(): ParleyError {
  return new ParleyError(
    'forbidden',
    'You have no work folders yet. Set PARLEY_WORK_ROOTS (workRoots in parley.config.json) to the folders of your projects.',
  );
}

function outside(path: string, roots: readonly WorkRoot[]): ParleyError {
  return new ParleyError(
    'forbidden',
    `${path} is not a folder inside a work folder (${roots.map((root) => root.path).join(', ')}). Set PARLEY_WORK_ROOTS to allow more folders.`,
  );
}
