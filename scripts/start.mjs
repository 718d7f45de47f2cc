// `npm start`: installs and builds what is stale, then starts the server.
import { become, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(process.execPath, ['packages/server/dist/main.js', ...process.argv.slice(2)]);
