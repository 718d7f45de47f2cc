// Node cannot run the sources as they are: bundles one TypeScript file so that it can. Packages from npm stay
// outside; those of this workspace go in, from source.
import { mkdirSync, renameSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './workspace.mjs';

/** What every bundle of this repository has in common. */
export const bundleOptions = {
  platform: 'node',
  transform: { target: 'node20.19' },
  resolve: { conditionNames: ['@parley/source', 'node', 'default'] },
  logLevel: 'warn',
};

/** Not files, not packages of this workspace, not the helpers that the compiler itself adds. */
const isFromNpm = (id) =>
  !id.startsWith('\\0') && !/^(@parley\/|@oxc-project\/|[./\\]|[a-zA-Z]:[\\/])/.test(id);

/** The path of the bundle: one for each source, below node_modules, where its imports resolve. */
export async function bundleFile(source) {
  const { build } = await import('rolldown');
  const folder = join(root, 'node_modules', '.cache', 'bundles');
  mkdirSync(folder, { recursive: true });
  const path = resolve(root, source);
  const name = relative(root, path).replaceAll(/[^a-zA-Z0-9]+/g, '-');
  const draft = join(folder, `${name}.${process.pid}.${Math.random().toString(36).slice(2)}.mjs`);
  await build({
    ...bundleOptions,
    input: path,
    external: isFromNpm,
    output: { file: draft, format: 'esm', codeSplitting: false },
  });
  // Moved into place, so that whoever runs it at the same time sees one or the other, whole.
  const file = join(folder, `${name}.mjs`);
  renameSync(draft, file);
  return file;
}
