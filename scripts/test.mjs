// `npm test`: install and build what is stale, then prove everything.
import { become, bin, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(bin('vitest'), ['run', ...process.argv.slice(2)]);
