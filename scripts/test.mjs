// `npm test`: installs and builds what is stale, then runs all tests.
import { bin, ensureBuilt, ensureInstalled, runAndExit } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
runAndExit(bin('vitest'), ['run', ...process.argv.slice(2)]);
