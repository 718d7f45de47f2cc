// Version 2.0.8 of the program, as its npm package of that time contains it: a script, no binary.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

export const oldVersion = '2.0.8';
export const oldProgram = join(dirname(require.resolve('claude-2.0/package.json')), 'cli.js');
