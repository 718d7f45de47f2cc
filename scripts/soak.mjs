// `npm run soak [-- --minutes=N | --hours=N]`: uses every door of a server at once, with faults, and fails if it grows.
import { bundleFile } from './bundle.mjs';
import { ensureBuilt, ensureInstalled, runAndExit } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
runAndExit(process.execPath, [await bundleFile('packages/server/soak/soak.ts'), ...process.argv.slice(2)]);
