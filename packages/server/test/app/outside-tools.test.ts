// The tools that run outside of the server, from a configuration, with the built recipe vault.
import { existsSync, realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRecipes } from '@parley/recipe-vault';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type OutsideTools, openOutsideTools } from '../../src/app/outside-tools.ts';
import { kitchen } from '../../src/assistants/kitchen.ts';
import { createOutgoing } from '../../src/basics/outgoing.ts';
import { Settings } from '../../src/config/schema.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { fromNpm, tempFolder } from '../tools/mcp/harness.ts';

const recipeVault = fileURLToPath(new URL('../../../recipe-vault/dist/main.js', import.meta.url));

describe('the outside tools', () => {
  beforeAll(() => {
    if (!existsSync(recipeVault)) throw new Error('The recipe vault is not built: run npm run build.');
  });

  it("include the recipe vault on the server's database, with sample recipes in demo mode", async () => {
    const { outside, recipes } = await open({ demo: true });
    expect((await recipes.list()).total).toBe(6);
    expect(await toolNames(outside, 'recipes')).toEqual(
      'list_recipes get_recipe create_recipe update_recipe delete_recipe'.split(' '),
    );
    expect(await toolNames(outside, 'artifacts')).toEqual(['display_recipe']);
    // Reading the household's own data makes nobody ask first.
    const vault = outside.sources.find(({ name }) => name === 'recipes');
    expect((await vault?.tools())?.map(({ reads }) => reads)).not.toContain('outside');
    expect(outside.health.status()).toMatchObject([{ name: 'recipes', state: 'ready' }]);
  });

  it('run in a folder of their own, unless the configuration names one [kitchen.mcp.own-folder]', async () => {
    const elsewhere = tempFolder();
    const { outside, folder } = await open({
      demo: false,
      mcpServers: {
        own: { command: process.execPath, args: ['-e', whereAmI] },
        placed: { command: process.execPath, args: ['-e', whereAmI], cwd: elsewhere },
      },
    });

    expect(await toolNames(outside, 'own')).toEqual([nameOf(join(folder, 'mcp/own'))]);
    expect(await toolNames(outside, 'placed')).toEqual([nameOf(elsewhere)]);
    expect((await stat(join(folder, 'mcp/own'))).mode & 0o777).toBe(0o700);
    await outside.sources.find(({ name }) => name === 'recipes')?.tools();
    expect(await readdir(join(folder, 'mcp'))).toEqual(['own', 'recipes']);
  });

  it('start without recipes outside of demo mode', async () => {
    const { recipes } = await open({ demo: false });
    expect((await recipes.list()).total).toBe(0);
  });

  it('include the configured servers, except the disabled ones', async () => {
    const { command, args } = fromNpm('everything');
    const { outside } = await open({
      demo: false,
      mcpServers: {
        everything: { command, args },
        far: { url: 'http://127.0.0.1:9/mcp' },
        off: { command: 'none', disabled: true },
        recipes: { disabled: true },
      },
    });
    expect(outside.sources.map(({ name }) => name)).toEqual(['artifacts', 'everything', 'far']);
    expect(await toolNames(outside, 'everything')).toContain('echo');
  });
});

async function open({ demo, mcpServers = {} }: { demo: boolean; mcpServers?: object }) {
  const file = join(tempFolder(), 'recipes.db');
  const recipes = await openRecipes({ file });
  onTestFinished(() => recipes.close());
  const outside = await openOutsideTools({
    config: { demo, mcpServers: Settings.parse({ mcpServers }).mcpServers, dataDir: dirname(file) },
    recipes,
    recipesFile: file,
    recipeVault,
    assistants: [kitchen],
    ownSources: [],
    environment: process.env,
    outgoing: createOutgoing(),
    logger: silentLogger,
  });
  onTestFinished(() => outside.close());
  return { outside, recipes, folder: dirname(file) };
}

async function toolNames(outside: OutsideTools, source: string): Promise<readonly string[] | undefined> {
  const tools = await outside.sources.find(({ name }) => name === source)?.tools();
  return tools?.map(({ name }) => name);
}

/** A server whose only tool is named after the folder that it runs in. */
const whereAmI = `
  const name = require('node:fs').realpathSync('.').replaceAll(/[^a-zA-Z0-9]/g, '_').slice(-100);
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name, inputSchema: { type: 'object' } }] },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
  });`;

function nameOf(folder: string): string {
  return realpathSync(folder)
    .replaceAll(/[^a-zA-Z0-9]/g, '_')
    .slice(-100);
}
