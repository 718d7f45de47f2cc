// `npm start`: installs and builds what is stale, then starts the server.
import { ensureBuilt, ensureInstalled, runAndExit } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
runAndExit(process.execPath, ['packages/server/dist/main.js', ...process.argv.slice(2)]);
