// `npm run screenshots`: retakes the pictures, the animation and the video for the documents.
import { bundleFile } from './bundle.mjs';
import { become, ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
become(process.execPath, [await bundleFile('packages/web/scripts/take-screenshots.ts')]);
