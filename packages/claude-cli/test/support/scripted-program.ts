// A real process that runs a script: for everything that the real program does not do on demand, such as hanging,
// writing garbage or dying at a chosen line.
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createProvider, type Provider, type ProviderOptions } from '../../src/index.ts';

export interface ScriptedProgram {
  readonly program: string;
  readonly workingDir: string;
  readonly provider: Provider;
}

/**
 * `script` is JavaScript that runs in the program. It can use `emit(object)` and `write(text)` for stdout,
 * `onLine(handler)` for parsed lines of stdin, and `answerInitialize()` to become ready like the real program. It is
 * closed when the test is over.
 */
export async function openScriptedProgram(
  script: string,
  options: Partial<ProviderOptions> = {},
): Promise<ScriptedProgram> {
  const workingDir = await realpath(await mkdtemp(join(tmpdir(), 'claude-cli-scripted-')));
  const program = join(workingDir, 'claude');
  await writeFile(program, `#!${process.execPath}\n${prelude}\n${script}\n`);
  await chmod(program, 0o755);
  const environment = { PATH: '/usr/bin:/bin', HOME: workingDir };
  const provider = createProvider({ environment, program, ...options });
  onTestFinished(async () => {
    await provider.close();
    await rm(workingDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return { program, workingDir, provider };
}

const prelude = `
const fs = require('node:fs');
const write = (text) => fs.writeSync(1, text);
const emit = (object) => write(JSON.stringify(object) + '\\n');
const handlers = [];
const onLine = (handler) => handlers.push(handler);
let rest = '';
process.stdin.on('data', (chunk) => {
  rest += chunk;
  const lines = rest.split('\\n');
  rest = lines.pop();
  for (const line of lines) for (const handler of handlers) handler(JSON.parse(line));
});
const answerInitialize = () => onLine((line) => {
  if (line.type !== 'control_request' || line.request.subtype !== 'initialize') return;
  emit({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: { commands: [] } } });
});
const onPrompt = (handler) => onLine((line) => line.type === 'user' && handler(line.message.content, line));
const result = (fields = {}) => emit({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: 0, ...fields });
const forever = () => setInterval(() => {}, 1000);
`;
