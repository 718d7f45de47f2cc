// Node cannot run the sources as they are: bundles one TypeScript file so that it can. Packages from npm stay
// outside; those of this workspace go in, from source.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
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

/** The path of the bundle; it is below node_modules, where its imports resolve, and gone when this process ends. */
export async function bundleFile(source) {
  const { build } = await import('rolldown');
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bundle-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, `${basename(source, '.ts')}.mjs`);
  await build({
    ...bundleOptions,
    input: resolve(root, source),
    external: isFromNpm,
    output: { file, format: 'esm', codeSplitting: false },
  });
  return file;
}
