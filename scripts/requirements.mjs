// `npm run requirements`: every promised behavior, whether the last test run proved it, and by which test files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFile } from './bundle.mjs';
import { ensureInstalled, root } from './workspace.mjs';

ensureInstalled();
const { requirements } = await load('requirements.ts');
const { collectCitations, testFiles } = await load('requirements/citations.ts');
const { proofOf } = await load('requirements/proof.ts');
const run = lastRun();
const citations = collectCitations(root);
const rows = requirements.map((requirement) => ({
  area: requirement.id.split('.')[0],
  spec: requirement.spec,
  proof: proofOf(requirement, citations, run?.tests ?? []),
  id: requirement.id,
  files: new Set(citations.filter(({ id }) => id === requirement.id).map(({ file }) => file)),
}));

print([
  ['id', 'spec', 'state', 'tests'],
  ...rows.map(({ id, spec, proof, files }) => [id, spec, proof, [...files].join(', ')]),
]);
console.log();
const states = ['proven', 'failed', 'not run', 'no test', 'pending'];
print([
  ['area', 'spec', ...states],
  ...[...new Set(rows.map(({ area }) => area))].map((area) => {
    const inArea = rows.filter((row) => row.area === area);
    return [area, inArea[0].spec, ...counts(inArea)];
  }),
  ['all', '', ...counts(rows)],
]);
console.log();
console.log(describeRun());

function counts(some) {
  return states.map((state) => some.filter(({ proof }) => proof === state).length);
}

function lastRun() {
  try {
    return JSON.parse(readFileSync(join(root, 'node_modules/.parley-test-run.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function describeRun() {
  if (run === undefined) {
    return 'No test run is recorded, so nothing counts as proven. Run `npm test`, then this command again.';
  }
  const files = new Set(run.tests.map(({ file }) => file)).size;
  const count = (state) => run.tests.filter((test) => test.state === state).length;
  return (
    `States come from the last test run, which ended at ${run.endedAt}: ${count('passed')} passed, ` +
    `${count('failed')} failed and ${count('skipped')} skipped in ${files} of ${testFiles(root).length} test files.`
  );
}

function print(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)));
  // The last column needs no padding.
  widths[widths.length - 1] = 0;
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}

async function load(source) {
  return import(pathToFileURL(await bundleFile(source)).href);
}
