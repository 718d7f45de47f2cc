// `npm run screenshots`: takes the pictures, the animation and the video of the documents again.
import { bundleFile } from './bundle.mjs';
import { become, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(process.execPath, [await bundleFile('packages/web/scripts/take-screenshots.ts')]);
