// `npm run messages`: collects the texts of the web app into its catalogs. With `--check` it writes nothing, and fails
// when a catalog is out of date or incomplete, or when a text can't be translated.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { updateCatalogs } from './message-catalogs.mjs';
import { root } from './workspace.mjs';

const {
  values: { check: checking },
} = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { problems, count } = updateCatalogs(join(root, 'packages'), { checking });
if (problems.length > 0) {
  console.error(problems.join('\n'));
  // A missing translation must not stop somebody who is writing code.
  if (checking) process.exit(1);
} else console.log(`${count} texts, complete in every language`);
