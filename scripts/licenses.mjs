// Collects the licenses of all bundled packages, because most of them must be shipped with the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { root } from './workspace.mjs';

/** One section for each package that the modules come from. */
export function licenseTexts(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id.replace(/^\0/, '').split('?')[0])));
  const sections = new Map([...folders].map(section));
  return [...sections.keys()]
    .sort((one, other) => (one < other ? -1 : 1))
    .map((name) => `${name}\n${'='.repeat(name.length)}\n\n${sections.get(name)}\n`)
    .join('\n\n');
}

/** The closest folder in `node_modules` with a name and a version. */
function packageFolder(file) {
  if (!file.includes(`${sep}node_modules${sep}`)) return [];
  for (let folder = dirname(file); folder.startsWith(root); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return [folder];
  }
  return [];
}

function section(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}`, texts.join('\n\n') || `License: ${license ?? 'see the package'}`];
}
