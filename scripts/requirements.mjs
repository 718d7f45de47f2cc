// `npm run requirements`: every promised behaviour, whether it is proven, and by which test files.
import { pathToFileURL } from 'node:url';
import { bundleFile } from './bundle.mjs';
import { ensureInstalled, root } from './workspace.mjs';

ensureInstalled();
const { requirements } = await load('requirements.ts');
const { collectCitations } = await load('requirements/citations.ts');
const citations = collectCitations(root);
const rows = requirements.map(({ id, seed, pending }) => ({
  id,
  seed: String(seed),
  state: stateOf(id, pending === true),
  tests: [...new Set(citations.filter((citation) => citation.id === id).map(({ file }) => file))].join(', '),
}));

print([{ id: 'id', seed: 'seed', state: 'state', tests: 'tests' }, ...rows]);
console.log();
print([{ id: 'area', seed: 'seed', state: 'proven', tests: 'pending' }, ...totals()]);

function stateOf(id, pending) {
  if (pending) return 'pending';
  return citations.some((citation) => citation.id === id) ? 'proven' : 'UNPROVEN';
}

function totals() {
  const areas = [...new Set(rows.map(areaOf))];
  const count = (area, state) => rows.filter((row) => areaOf(row) === area && row.state === state).length;
  const lines = areas.map((area) => ({
    id: area,
    seed: rows.find((row) => areaOf(row) === area).seed,
    state: String(count(area, 'proven')),
    tests: String(count(area, 'pending')),
  }));
  const sum = (column) => String(lines.reduce((total, line) => total + Number(line[column]), 0));
  return [...lines, { id: 'all', seed: '', state: sum('state'), tests: sum('tests') }];
}

function areaOf(row) {
  return row.id.split('.')[0];
}

function print(lines) {
  const width = (column) => Math.max(...lines.map((line) => line[column].length));
  const widths = { id: width('id'), seed: width('seed'), state: width('state') };
  for (const { id, seed, state, tests } of lines) {
    const cells = [id.padEnd(widths.id), seed.padEnd(widths.seed), state.padEnd(widths.state), tests];
    console.log(cells.join('  ').trimEnd());
  }
}

async function load(source) {
  return import(pathToFileURL(await bundleFile(source)).href);
}
