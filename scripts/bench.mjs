// `npm run bench [-- NAME …] [-- --full]`: runs the benchmarks.
import { runPrograms } from './programs.mjs';
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
await runPrograms('bench', ['--expose-gc']);
