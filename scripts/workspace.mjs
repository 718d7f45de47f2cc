// Finds out whether installed packages and built files are stale, and updates them. Uses only Node itself, because it
// runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestNode = [20, 19];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Installs if the lockfile or any manifest changed since the last install. */
export function ensureInstalled() {
  if (!isNewEnough(process.versions.node)) {
    fail(`this is Node ${process.versions.node}. Install ${oldestNode.join('.')} or newer, then try again.`);
  }
  const stamp = join(root, 'node_modules', '.parley-installed');
  // Packages with native code depend on the version of Node.
  const installed = () =>
    process.version + fingerprintOf(['package-lock.json', 'package.json', ...manifests()]);
  if (read(stamp) === installed()) return;
  const fresh = !existsSync(join(root, 'node_modules'));
  say('installing packages (the first time takes about a minute)');
  run('npm', [fresh ? 'ci' : 'install', '--no-audit', '--no-fund', '--loglevel=error']);
  // npm install may have changed the lockfile: store the fingerprint of what is installed now.
  write(stamp, installed());
}

const builtStamp = join(root, 'node_modules', '.parley-built');

/** Builds if a source file changed since the last build. */
export function ensureBuilt() {
  const fingerprint = buildFingerprint();
  if (isBuilt(fingerprint)) return;
  say('building');
  rmSync(builtStamp, { force: true });
  run(process.execPath, ['scripts/build.mjs']);
  write(builtStamp, fingerprint);
}

/** Whether the build is up to date. */
export function isBuilt(fingerprint = buildFingerprint()) {
  return read(builtStamp) === fingerprint && outputs().every((file) => existsSync(join(root, file)));
}

function buildFingerprint() {
  const scripts = ['build', 'bundle', 'licenses'].map((name) => `scripts/${name}.mjs`);
  return fingerprintOf([...sources(), 'package-lock.json', 'tsconfig.base.json', ...scripts]);
}

/** Runs a command in the foreground; if it fails, this process exits with its code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`could not run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs the last command of a script: forwards signals to it and exits with its code. */
export function runAndExit(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`could not run ${command}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  if (process.env.npm_lifecycle_event) whenOrphaned(() => child.kill('SIGTERM'));
}

/** Needed because ending npm ends the shell that it started, which doesn't forward the signal. */
function whenOrphaned(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 250);
}

export const bin = (name) => join(root, 'node_modules', '.bin', name);

export function packages() {
  return readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  );
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

function outputs() {
  return [
    'server/dist/main.js',
    'claude-cli/dist/index.js',
    'recipe-vault/dist/main.js',
    'web/dist/index.html',
    'web/dist/help/index.html',
  ].map((file) => `packages/${file}`);
}

function manifests() {
  return packages().map((name) => `packages/${name}/package.json`);
}

/** The folders that the build reads. */
export function sourceFolders() {
  const webApp = ['public', 'locales'].map((name) => `packages/web/${name}`);
  return [...packages().map((name) => `packages/${name}/src`), ...webApp, 'scripts/help', 'docs'];
}

function sources() {
  const plugins = ['catalog', 'service-worker'].map((name) => `scripts/${name}-plugin.ts`);
  const webApp = ['index.html', 'vite.config.ts', ...plugins];
  return [
    ...sourceFolders().flatMap(filesBelow),
    ...['ARCHITECTURE', 'CHANGELOG', 'CONTEXT', 'CONTRIBUTING', 'SECURITY'].map((name) => `${name}.md`),
    ...webApp.map((file) => `packages/web/${file}`),
  ];
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function fingerprintOf(files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => (a < b ? -1 : 1)))
    hash
      .update(file)
      .update('\0')
      .update(read(join(root, file)) ?? '');
  return hash.digest('hex');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function say(text) {
  console.error(`parley: ${text} …`);
}

function fail(text) {
  console.error(`parley: ${text}`);
  process.exit(1);
}
