// Bundles a TypeScript entry so that a plain node process can run it: for tests that need a process to kill.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Everything from npm stays outside; the workspace's own packages go in, from source. */
const fromNpm = /^(?!@parley\/|[./\\]|[a-zA-Z]:[\\/])/;

/** Writes one file for each name of an entry, below node_modules, where its imports resolve. */
export async function bundleToTemp(entryTs: string): Promise<string> {
  const { output } = await build({
    input: resolve(entryTs),
    platform: 'node',
    external: fromNpm,
    resolve: { conditionNames: ['@parley/source', 'node', 'import', 'default'] },
    output: { format: 'esm', codeSplitting: false },
    write: false,
    logLevel: 'warn',
  });

  const folder = join(packageRoot, 'node_modules', '.cache', 'bundles');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${basename(entryTs, '.ts')}.mjs`);
  // Renamed into place, because another test may be starting the same bundle right now.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, output[0].code);
  renameSync(draft, file);
  return file;
}
