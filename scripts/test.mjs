// `npm test`: installs and builds what is stale, then runs all tests.
import { become, bin, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(bin('vitest'), ['run', ...process.argv.slice(2)]);
