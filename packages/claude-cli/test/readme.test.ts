// The package as its users get it: built, in a project outside this workspace. Runs the examples of the README as they
// are, against the real program.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callTool, reply, say } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagTable } from '../src/flags/flag-table.ts';
import { ClaudeOptions, SessionLimits } from '../src/index.ts';
import { openRealProgram, type RealProgram } from './support/real-program.ts';

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '..');
const workspaceModules = join(packageFolder, '../../node_modules');
const compiler = join(workspaceModules, '.bin/tsc');
const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
const examples = Array.from(readme.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code as string);
const [first = '', permissions = '', transcripts = '', pool = ''] = examples;

describe('an example of the README', () => {
  let real: RealProgram;
  let app: string;
  beforeAll(async () => {
    real = await openRealProgram();
    app = await installInProject(join(real.home, 'project'), join(real.home, 'store'));
    const env = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
    await mkdir(join(real.home, '.claude'));
    await writeFile(join(real.home, '.claude/settings.json'), JSON.stringify({ env }));
  });
  afterAll(() => real.close());

  async function runScript(code: string): Promise<string> {
    const script = join(app, 'script.mjs');
    await writeFile(script, code);
    const { stdout } = await run(process.execPath, [script], { cwd: real.workingDir, env: real.environment });
    return stdout;
  }

  /** The other examples continue with the provider of the first. */
  const opening = first.slice(0, first.indexOf('const session'));
  const closing = 'await provider.close();';
  const ask = `const events = session.events();
    if (session.status().state === 'created') await session.start();
    await session.sendInput('Go');
    session.endInput();
    for await (const event of events)
      if (event.type === 'output' || event.kind === 'tool_result') console.log(event.text ?? event.content);`;

  it('exists for each part of the package, and the first one is short', () => {
    expect(examples).toHaveLength(4);
    expect(first.trim().split('\n').length).toBeLessThanOrEqual(10);
  });

  it('talks to the program', async () => {
    real.standIn.enqueue(reply(say('Hello ', 'from the README')));
    expect(await runScript(first)).toBe('Hello from the README');
  });

  it('lists what was said before', async () => {
    real.standIn.enqueue(reply('Hello again.'));
    await runScript(first);
    expect(await runScript(transcripts)).toMatch(/^Say hello: \d+ messages\n/);
  });

  it('decides which tools may run', async () => {
    const input = { command: 'touch forbidden.txt', description: 'Makes a file' };
    real.standIn.enqueue(reply(callTool('Bash', input)), reply('As you wish.'));
    const output = await runScript([opening, permissions, ask, closing].join('\n'));
    expect(output).toContain('Bash is not for today.');
    expect(output).toContain('As you wish.');
  });

  it('takes a session from a pool', async () => {
    real.standIn.enqueue(reply('At once.'));
    expect(await runScript([opening, pool, ask, closing].join('\n'))).toContain('At once.');
  });

  it('compiles in the strictest project', async () => {
    await writeFile(join(app, 'script.ts'), first);
    // The libraries of the compiler itself need no check, and those of browsers are not used.
    const options =
      '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2023 --lib es2023 --skipDefaultLibCheck --types node';
    const roots = ['--typeRoots', join(workspaceModules, '@types')];
    const compiled = run(compiler, [...options.split(' '), ...roots, join(app, 'script.ts')], { cwd: app });
    await expect(compiled).resolves.toMatchObject({ stdout: '' });
  });
});

describe('the README', () => {
  it('names every option with its flag', () => {
    const named = new Map(
      Array.from(readme.matchAll(/^\| `(\w+)` \| `(--[\w-]+)` \|/gm), ([, key, flag]) => [key, flag]),
    );
    expect(new Set(named.keys())).toEqual(new Set(Object.keys(ClaudeOptions.shape)));
    for (const [key, { flag }] of Object.entries(flagTable)) expect(named.get(key)).toBe(flag);
  });

  it('names every limit with its default', () => {
    const named = Array.from(readme.matchAll(/^\| `(\w+)` \| (\d+) \|/gm), ([, key, value]) => [
      key,
      Number(value),
    ]);
    expect(Object.fromEntries(named)).toEqual(SessionLimits.parse({}));
  });
});

/** Installs the built package like installers that do not hoist: only the project itself can resolve it. */
async function installInProject(project: string, store: string): Promise<string> {
  const installed = join(store, 'node_modules/@parley/claude-cli');
  await run(compiler, [
    '-p',
    join(packageFolder, 'tsconfig.build.json'),
    '--outDir',
    join(installed, 'dist'),
  ]);
  await copyFile(join(packageFolder, 'package.json'), join(installed, 'package.json'));
  for (const name of ['leven', 'zod'])
    await symlink(join(workspaceModules, name), join(store, 'node_modules', name));
  for (const scope of ['@parley', '@anthropic-ai'])
    await mkdir(join(project, 'node_modules', scope), { recursive: true });
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await symlink(installed, join(project, 'node_modules/@parley/claude-cli'));
  const program = '@anthropic-ai/claude-agent-sdk';
  await symlink(join(workspaceModules, program), join(project, 'node_modules', program));
  return project;
}
