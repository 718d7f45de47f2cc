// Bundles a TypeScript entry so that a plain node process can run it: for tests that need a process to kill.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Everything from npm stays outside; the workspace's own packages go in, from source. */
const fromNpm = /^(?!@parley\/|[./\\]|[a-zA-Z]:[\\/])/;

/** Writes the bundle below node_modules, where its imports resolve; it is gone when this process ends. */
export async function bundleToTemp(entryTs: string): Promise<string> {
  const folder = join(packageRoot, 'node_modules', '.cache', `bundles-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

  const file = join(folder, `${basename(entryTs, '.ts')}.mjs`);
  await build({
    input: resolve(entryTs),
    platform: 'node',
    external: fromNpm,
    resolve: { conditionNames: ['@parley/source', 'node', 'import', 'default'] },
    output: { file, format: 'esm' },
    logLevel: 'warn',
  });
  return file;
}
