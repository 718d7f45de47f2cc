// Talk to the program from the terminal: each line of input is a prompt.
// Optional arguments: working directory, permission mode, path of the program.
import { createInterface } from 'node:readline';
import { createProvider, type PermissionMode } from '@parley/claude-cli';

const [workingDir = process.cwd(), mode = 'default', program] = process.argv.slice(2);

await using provider = createProvider({
  environment: process.env,
  inherit: ['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
  ...(program === undefined ? {} : { program }),
});
const session = provider.createSession({
  workingDir,
  custom: { permission_mode: mode as PermissionMode },
});
const events = session.events();
await session.start();
console.error(`The program runs as process ${session.status().pid}.`);

createInterface({ input: process.stdin })
  .on('line', (line) => void session.sendInput(line).catch(printError))
  .on('close', () => session.status().state === 'running' && session.endInput());

for await (const event of events) {
  if (event.type === 'output') process.stdout.write(event.text);
  if (event.type === 'error') console.error(event.message);
  if (event.type === 'metadata' && event.kind === 'tool_use' && event.complete)
    console.error(`[${event.name}]`);
  if (event.type === 'metric' && event.scope === 'turn') console.error(`\n[$${event.costUsd.toFixed(4)}]`);
}

function printError(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
}
