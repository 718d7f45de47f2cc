// Bundles one TypeScript file so that Node can run it. Packages from npm stay outside; those of this workspace are
// included, from source.
import { mkdirSync, renameSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isBuilt, root } from './workspace.mjs';

/** These stay outside the server's bundle, because they have native code or look for their own files on disk. */
export const outsidePackages = ['libsql', '@lydell/node-pty', '@node-rs/argon2', '@vscode/ripgrep'];

/** For every bundle in this repository. */
export const bundleOptions = {
  platform: 'node',
  transform: { target: 'node20.19' },
  resolve: { conditionNames: ['@parley/source', 'node', 'default'] },
  logLevel: 'warn',
};

/** Not a file, not a package of this workspace, and not a helper that the compiler adds. */
const isFromNpm = (id) =>
  !id.startsWith('\\0') && !/^(@parley\/|@oxc-project\/|[./\\]|[a-zA-Z]:[\\/])/.test(id);

const bundled = new Map();

/** Returns the path of the bundle: one per source, below node_modules, where its imports resolve. */
export function bundleFile(source) {
  const path = resolve(root, source);
  // Sources don't change while a process bundles them.
  if (!bundled.has(path)) bundled.set(path, bundle(path));
  return bundled.get(path);
}

async function bundle(path) {
  const { build } = await import('rolldown');
  const folder = join(root, 'node_modules', '.cache', 'bundles');
  mkdirSync(folder, { recursive: true });
  const name = relative(root, path).replaceAll(/[^a-zA-Z0-9]+/g, '-');
  const draft = join(folder, `${name}.${process.pid}.${Math.random().toString(36).slice(2)}.mjs`);
  await build({
    ...bundleOptions,
    input: path,
    external: isFromNpm,
    output: { file: draft, format: 'esm', codeSplitting: false },
  });
  // Renamed into place, so that a process that runs it at the same time never sees half a file.
  const file = join(folder, `${name}.mjs`);
  renameSync(draft, file);
  return file;
}

/** The command `parley` as people get it. */
export const parleyProgram = () => builtProgram('server');

/** The program of the recipe vault as people get it. */
export const recipeVaultProgram = () => builtProgram('recipe-vault');

/** Bundles the program from source if the build is out of date. */
async function builtProgram(name) {
  isCurrent ??= isBuilt();
  return isCurrent ? join(root, `packages/${name}/dist/main.js`) : bundleFile(`packages/${name}/src/main.ts`);
}

let isCurrent;
