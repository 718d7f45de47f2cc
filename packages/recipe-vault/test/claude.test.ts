// The real `claude` program uses the recipe vault with the configuration from the README.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { discoverProgram } from '@parley/claude-cli';
import {
  callTool,
  lastToolResults,
  noFallback,
  reply,
  resultText,
  startAnthropicStandIn,
} from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { recipeVaultProgram } from '../../../scripts/bundle.mjs';
import { openRecipes } from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
};
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the recipe vault in claude', () => {
  it('creates and reads recipes when claude calls its tools', async () => {
    const folder = tempFolder();
    const database = join(folder, 'recipes.db');
    await using api = await startAnthropicStandIn({ fallback: noFallback });
    api.enqueue(
      reply(callTool('mcp__recipes__create_recipe', { title: 'Plum Cake', servings: 12 })),
      reply(callTool('mcp__recipes__list_recipes', {})),
      (request) => reply(`In the vault: ${lastToolResults(request.body).map(resultText).join()}`),
    );

    const answer = await claude(api.url, folder, 'Write down a plum cake', [
      '--mcp-config',
      await configFromReadme(database),
      '--allowedTools',
      'mcp__recipes',
    ]);

    expect(answer).toMatch(/In the vault:.*"title": ?"Plum Cake"/s);
    const recipes = await openRecipes({ file: database });
    expect(await recipes.findByTitle('plum cake')).toMatchObject({ servings: 12 });
    await recipes.close();
  });
});

/** The JSON block of the README, with real paths. */
async function configFromReadme(database: string): Promise<string> {
  const block = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const config = JSON.parse(block) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const entry = config.mcpServers['recipes'];
  const [command] = Object.keys(manifest.bin);
  expect(entry).toEqual({ command, args: ['--database', expect.any(String)] });
  const program = await recipeVaultProgram();
  return JSON.stringify({
    mcpServers: { recipes: { command: process.execPath, args: [program, '--database', database] } },
  });
}

/** Runs one turn of the program offline, in a fresh home, with the prompt on stdin. */
async function claude(
  baseUrl: string,
  folder: string,
  prompt: string,
  args: readonly string[],
): Promise<string> {
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  for (const path of [home, work]) mkdirSync(path);
  const running = promisify(execFile)(discoverProgram(), ['-p', ...args], {
    cwd: work,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: 'any-word',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    },
  });
  running.child.stdin?.end(prompt);
  return (await running).stdout;
}
