// `npm run check`: the quality gate. Every step runs, so that one run shows everything to fix.
import { spawnSync } from 'node:child_process';
import { bin, ensureInstalled, root } from './workspace.mjs';

ensureInstalled();
const steps = [
  ['format', bin('biome'), ['check', '.']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the web app', bin('tsc'), ['-p', 'packages/web/tsconfig.json']],
  ['architecture', bin('depcruise'), ['packages', '--config', '.dependency-cruiser.mjs']],
  ['dead code', bin('knip'), []],
  ['messages', process.execPath, ['scripts/messages.mjs', '--check']],
  ['generated files', process.execPath, ['scripts/generate.mjs', '--check']],
];

const failed = steps.filter(([name, command, args]) => {
  console.log(`\n── ${String(name)}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.error(`\ncheck failed: ${failed.map(([name]) => name).join(', ')}`);
  process.exit(1);
}
console.log('\ncheck passed');
