// `npm run generate`: writes the files that are generated from the source. With `--check` it writes nothing and fails
// if one of them is out of date. `--into <folder>` writes to another folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleFile } from './bundle.mjs';
import { ensureInstalled, root } from './workspace.mjs';

/** Each generated file, the module that generates it, and how to call it. */
const generators = [
  {
    file: 'docs/configuration.md',
    source: 'packages/server/src/config/reference.ts',
    render: ({ configurationReference }) => configurationReference(),
  },
  {
    file: 'docs/openapi.json',
    source: 'packages/server/src/doors/http/openapi/document.ts',
    render: ({ renderOpenApi }) => renderOpenApi(),
  },
];

const {
  values: { check: checking, into },
} = parseArgs({
  options: { check: { type: 'boolean', default: false }, into: { type: 'string', default: root } },
});
if (!checking && into === root) ensureInstalled();
const stale = [];
for (const { file, source, render } of generators) {
  const text = await render(await import(pathToFileURL(await bundleFile(source)).href));
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
  console.error(`out of date: ${stale.join(', ')}. Run npm run generate and commit the result.`);
  process.exit(1);
}
if (checking) console.log('generated files are up to date');

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
