// `npm run release -- prepare X.Y.Z` sets the version and gives it a section in the changelog.
// `npm run release [-- --key <file>] [--skip-checks]` checks and tests everything, and writes the files of this version
// to `release/`: the file to install, a list of its contents (CycloneDX), checksums, and their signature.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isLater, notesOf, releaseChangelog, signArguments, withVersion } from './release-text.mjs';
import { ensureInstalled, packages, root, run } from './workspace.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, 'skip-checks': { type: 'boolean', default: false } },
});
const [command, given] = positionals;
const current = JSON.parse(read('package.json')).version;
ensureInstalled();
if (command === 'prepare') prepare(given ?? '');
else if (command === undefined) release();
else fail(`Unknown command “${command}”. Use prepare, or no command.`);

function prepare(version) {
  if (!isLater(version, current)) fail(`Name a version after ${current}, such as 1.2.3.`);
  const day = new Date().toISOString().slice(0, 10);
  write('CHANGELOG.md', releaseChangelog(read('CHANGELOG.md'), version, day));
  for (const file of ['package.json', ...packages().map((name) => `packages/${name}/package.json`)])
    write(file, withVersion(read(file), version));
  run('npm', [
    'install',
    '--package-lock-only',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  console.log(`Prepared ${version}. Read the changelog, then:
  git commit --all --message 'Release ${version}' && git tag v${version}
  npm run release -- --key <file>`);
}

function release() {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes !== '' && !values['skip-checks'])
    fail('There are uncommitted changes. Commit them first: a release is a commit.');
  if (!values['skip-checks']) {
    run('npm', ['run', 'check']);
    run('npm', ['audit', '--omit=dev', '--audit-level=high']);
    run('npm', ['test']);
  }
  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  run(process.execPath, ['scripts/pack.mjs', '--into', folder]);
  writeFileSync(join(folder, `parley-${current}.cdx.json`), sbom());
  const notes = notesOf(read('CHANGELOG.md'), current);
  if (notes === undefined)
    console.error(`parley: the changelog has no section for ${current} yet: see npm run release -- prepare.`);
  else writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
  const sums = readdirSync(folder).map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  sign(join(folder, 'SHA256SUMS'), values.key);
  for (const name of readdirSync(folder)) console.log(join('release', name));
}

/** Lists everything in the bundles and native packages, from the lockfile, and the `claude` program. */
function sbom() {
  const args = ['--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only'];
  const text = execFileSync('npm', ['sbom', ...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const list = JSON.parse(text);
  // npm uses the name of the folder.
  list.metadata.component.name = 'parley';
  const program = JSON.parse(read('node_modules/@anthropic-ai/claude-agent-sdk/package.json'));
  for (const [name, version] of Object.entries(program.optionalDependencies)) {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    list.components.push({ 'bom-ref': purl, type: 'application', name, version, purl, scope: 'optional' });
  }
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

/** With OpenSSH, which everybody has: `ssh-keygen -t ed25519 -f <file>` makes a key. */
function sign(file, key) {
  if (key === undefined) {
    console.error('parley: SHA256SUMS is not signed. To sign it, pass the file of an SSH key with --key.');
    return;
  }
  if (!existsSync(key)) fail(`There is no key at ${key}.`);
  const { status } = spawnSync('ssh-keygen', signArguments(key, file), { stdio: 'inherit' });
  if (status !== 0) fail('ssh-keygen could not sign the checksums.');
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

function write(file, text) {
  writeFileSync(join(root, file), text);
}

function fail(text) {
  console.error(`parley: ${text}`);
  process.exit(1);
}
