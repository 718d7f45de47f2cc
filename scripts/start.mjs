// `npm start`: install and build what is stale, then serve.
import { become, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(process.execPath, ['packages/server/dist/main.js', ...process.argv.slice(2)]);
