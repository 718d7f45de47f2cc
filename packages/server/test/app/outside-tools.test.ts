// The tools that run outside of the server, from a configuration, with the built recipe vault.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRecipes } from '@parley/recipe-vault';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type OutsideTools, openOutsideTools } from '../../src/app/outside-tools.ts';
import { kitchen } from '../../src/assistants/kitchen.ts';
import { Settings } from '../../src/config/schema.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { fromNpm, tempFolder } from '../tools/mcp/harness.ts';

describe('the outside tools', { timeout: 60_000 }, () => {
  beforeAll(() => {
    const built = fileURLToPath(new URL('../../../recipe-vault/dist/main.js', import.meta.url));
    if (!existsSync(built)) throw new Error('The recipe vault is not built: run npm run build.');
  });

  it("include the recipe vault on the server's database, with sample recipes in demo mode", async () => {
    const { outside, recipes } = await open({ demo: true });
    expect((await recipes.list()).total).toBe(6);
    expect(await toolNames(outside, 'recipes')).toEqual(
      'list_recipes get_recipe create_recipe update_recipe delete_recipe'.split(' '),
    );
    expect(await toolNames(outside, 'artifacts')).toEqual(['display_recipe']);
    expect(outside.health.status()).toMatchObject([{ name: 'recipes', state: 'ready' }]);
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
    config: { demo, mcpServers: Settings.parse({ mcpServers }).mcpServers },
    recipes,
    recipesFile: file,
    assistants: [kitchen],
    ownSources: [],
    environment: process.env,
    logger: silentLogger,
  });
  onTestFinished(() => outside.close());
  return { outside, recipes };
}

async function toolNames(outside: OutsideTools, source: string): Promise<readonly string[] | undefined> {
  const tools = await outside.sources.find(({ name }) => name === source)?.tools();
  return tools?.map(({ name }) => name);
}
