// `npm run cluster`: installs and builds what is stale, then starts PostgreSQL, three servers and a proxy on loopback.
import { bundleFile } from './bundle.mjs';
import { ensureBuilt, ensureInstalled, runAndExit } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const command = await bundleFile('packages/stand-ins/src/cluster/main.ts');
runAndExit(process.execPath, [command, 'packages/server/dist/main.js']);
