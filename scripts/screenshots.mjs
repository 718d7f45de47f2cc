// `npm run screenshots`: takes the pictures of the README anew.
import { bundleFile } from './bundle.mjs';
import { become, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(process.execPath, [await bundleFile('packages/web/scripts/take-screenshots.ts')]);
