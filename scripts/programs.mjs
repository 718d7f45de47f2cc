// Runs the programs in a folder of each package, such as its benchmarks, one after the other, each in its own process.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleFile } from './bundle.mjs';
import { packages, root } from './workspace.mjs';

export function programsIn(folder) {
  return packages().flatMap((name) => {
    const path = `packages/${name}/${folder}`;
    if (!existsSync(join(root, path))) return [];
    return readdirSync(join(root, path))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${path}/${file}`);
  });
}

/** Runs those that the command line names, or all, with its flags. Exits with 1 if one of them fails. */
export async function runPrograms(folder, nodeFlags = []) {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
  let failed = false;
  for (const file of programsIn(folder)) {
    if (names.length > 0 && !names.includes(basename(file, '.ts'))) continue;
    console.log(`\n── ${file}`);
    const args = [...nodeFlags, await bundleFile(file), ...flags];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    failed ||= status !== 0;
  }
  process.exit(failed ? 1 : 0);
}
