// `npm run test:nodes [-- FILE …]`: runs the tests on the other versions of Node that people use. Without files, runs all but
// the browser tests, which take the longest and depend the least on the version of Node.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const folder = join(root, '.ci', 'nodes');
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(
    'parley: these versions of Node are for Linux on x64. On this machine, run `npm test` with each version.',
  );
  process.exit(1);
}
// Keeps what is installed if it matches the lockfile, so that a second run needs no network.
if (spawnSync('npm', ['ls', '--prefix', folder], { stdio: 'ignore' }).status !== 0)
  run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']);

const files = process.argv.slice(2);
const chosen = files.length > 0 ? files : ['--exclude', '**/test/e2e/**'];
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const failures = [];
for (const name of readdirSync(join(folder, 'node_modules')).filter((entry) => entry.startsWith('node-'))) {
  const bin = join(folder, 'node_modules', name, 'bin');
  console.log(`\n── ${name}`);
  const { status } = spawnSync(join(bin, 'node'), [vitest, 'run', ...chosen], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) },
  });
  if (status !== 0) failures.push(`${name}:`, ...failedTests());
}
// Once more at the end: logs are long, and a CI may show only their last part.
if (failures.length > 0) {
  console.error(`\nparley: the tests failed on other versions of Node.\n${failures.join('\n')}`);
  process.exit(1);
}

function failedTests() {
  const { tests } = JSON.parse(readFileSync(join(root, 'node_modules', '.parley-test-run.json'), 'utf8'));
  return tests
    .filter(({ state }) => state === 'failed')
    .map(({ file, titles }) => `  ${[file, ...titles].join(' > ')}`);
}
