// `npm run screenshots`: retakes the pictures, the animation and the video for the documents.
import { bundleFile } from './bundle.mjs';
import { ensureBuilt, ensureInstalled, runAndExit } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
runAndExit(process.execPath, [await bundleFile('packages/web/scripts/take-screenshots.ts')]);
