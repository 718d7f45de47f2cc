// `npm run bench [-- NAME …] [-- --full]`: runs the benchmarks one after the other, each in its own process.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleFile } from './bundle.mjs';
import { ensureBuilt, ensureInstalled, packages, root } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const benchmarks = packages().flatMap((name) => {
  const folder = `packages/${name}/bench`;
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
});

let failed = false;
for (const file of benchmarks) {
  if (names.length > 0 && !names.includes(basename(file, '.ts'))) continue;
  console.log(`\n── ${file}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', await bundleFile(file), ...flags], {
    cwd: root,
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
