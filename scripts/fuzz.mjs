// `npm run fuzz [-- NAME …] [-- --seconds=N]`: looks for inputs that break the code that reads them; see fuzz/README.md.
import { runPrograms } from './programs.mjs';
import { ensureInstalled } from './workspace.mjs';

ensureInstalled();
await runPrograms('fuzz');
