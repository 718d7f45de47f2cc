// `npm run screenshots`: takes the screenshots of the README again.
import { bundleFile } from './bundle.mjs';
import { become, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(process.execPath, [await bundleFile('packages/web/scripts/take-screenshots.ts')]);
