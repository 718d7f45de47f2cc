// `npm run pack [-- --into <folder>]`: packs the built server and web app into one file that npm can install anywhere.
// Everything that can be bundled is inside; npm adds only the packages with native code and the `claude` program.
// `--built` packs the existing build, because a test must not rebuild while other tests run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { outsidePackages } from './bundle.mjs';
import { ensureBuilt, ensureInstalled, root } from './workspace.mjs';

const { values } = parseArgs({
  options: { into: { type: 'string', default: 'release' }, built: { type: 'boolean', default: false } },
});
if (!values.built) {
  ensureInstalled();
  ensureBuilt();
}
const into = resolve(root, values.into);
mkdirSync(into, { recursive: true });
const stage = join(into, '.stage');
rmSync(stage, { recursive: true, force: true });
try {
  layOut(stage);
  const [packed] = JSON.parse(npmPack(stage, into));
  console.log(join(into, packed.filename));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** The same folders as in `packages`, so that the parts find each other. */
function layOut(folder) {
  const copy = (from, to = from) =>
    cpSync(join(root, from), join(folder, to), { recursive: true, filter: isNeeded });
  mkdirSync(folder, { recursive: true });
  copy('packages/server/dist', 'server/dist');
  copy('packages/web/dist', 'web/dist');
  copy('packages/recipe-vault/dist/main.js', 'recipe-vault/dist/main.js');
  copy('deploy');
  for (const file of ['LICENSE', 'CHANGELOG.md']) copy(file);
  writeFileSync(join(folder, 'README.md'), readme());
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
}

/** Source maps are larger than everything else combined. In `deploy`, a clone may have secrets and an older package. */
function isNeeded(path) {
  return !path.endsWith('.map') && !/\/deploy\/(\.env|parley\.tgz|README\.md)$/.test(path);
}

/** The page about installing, with links to what is in the package. */
function readme() {
  return readFileSync(join(root, 'docs/install.md'), 'utf8')
    .replaceAll('](../deploy/', '](deploy/')
    .replaceAll(/\]\((?:\.\.\/)?([\w-]+)\.md/g, (_, name) => `](web/dist/help/${name.toLowerCase()}.html`);
}

function manifest() {
  const { name, version, description, license, engines } = read('package.json');
  return {
    name,
    version,
    // The name on npm's registry is not ours: people install the file.
    private: true,
    description,
    license,
    type: 'module',
    engines,
    bin: { parley: 'server/dist/main.js' },
    dependencies: Object.fromEntries(outsidePackages.map((one) => [one, installed(one).version])),
    // The same program as in the tests. npm picks one package for its platform; none of them runs install scripts.
    optionalDependencies: installed('@anthropic-ai/claude-agent-sdk').optionalDependencies,
  };
}

function installed(name) {
  return read(`node_modules/${name}/package.json`);
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function npmPack(folder, destination) {
  const args = [
    'pack',
    folder,
    '--json',
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    destination,
  ];
  return execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
