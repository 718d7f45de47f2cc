// A host of its own: starts the program, sends a prompt, says who it is, and waits to be killed.
import { readFileSync } from 'node:fs';
import { createProvider } from '../../src/index.ts';

const [workingDir = '.', program] = process.argv.slice(2);
const provider = createProvider({ environment: process.env, ...(program === undefined ? {} : { program }) });
const session = provider.createSession(undefined, {
  workingDir,
  custom: { permission_mode: 'bypassPermissions' },
  environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
});
await session.start();
await session.sendInput('Go');
const { pid } = session.status();
const mark = /PARLEY_CLAUDE_MARK=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
process.stdout.write(`${mark} ${pid}\n`);
