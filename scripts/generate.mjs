// `npm run generate`: writes the files that are made from the source; with `--check` it writes nothing and
// fails when one of them is out of date. `--into <folder>` takes another folder than this repository.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled, root } from './workspace.mjs';

/** Each generated file, the module that knows its content, and how to ask for it. */
const generators = [
  {
    file: 'docs/configuration.md',
    source: 'packages/server/src/config/reference.ts',
    render: ({ configurationReference }) => configurationReference(),
  },
];

const {
  values: { check: checking, into },
} = parseArgs({
  options: { check: { type: 'boolean', default: false }, into: { type: 'string', default: root } },
});
if (!checking) ensureInstalled();
const stale = [];
for (const { file, source, render } of generators) {
  const text = await render(await load(source));
  const path = join(into, file);
  if (read(path) === text) continue;
  if (checking) {
    stale.push(file);
    continue;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${file}`);
}
if (stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}. Run npm run generate, and commit what it wrote.`);
  process.exit(1);
}
if (checking) console.log('generated files are up to date');

/** Node cannot run the sources as they are, so a module is bundled first; packages stay outside. */
async function load(source) {
  const { build } = await import('rolldown');
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'generate-'));
  try {
    await build({
      cwd: root,
      input: { generate: source },
      platform: 'node',
      external: (id) =>
        !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@parley/') && id !== source,
      resolve: { conditionNames: ['@parley/source', 'node', 'import', 'default'] },
      output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
      logLevel: 'warn',
    });
    return await import(pathToFileURL(join(folder, 'generate.mjs')).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
