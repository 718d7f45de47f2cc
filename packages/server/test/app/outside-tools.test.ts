// What comes from outside the server, put together from a configuration; the recipe vault runs as it is built.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type OutsideTools, openOutsideTools } from '../../src/app/outside-tools.ts';
import { kitchen } from '../../src/assistants/kitchen.ts';
import { Settings } from '../../src/config/schema.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { fromNpm, tempFolder } from '../tools/mcp/harness.ts';

describe('the tools from outside', { timeout: 60_000 }, () => {
  beforeAll(() => {
    const built = fileURLToPath(new URL('../../../recipe-vault/dist/main.js', import.meta.url));
    if (!existsSync(built)) throw new Error('The recipe vault is not built: run npm run build.');
  });

  it('has in demo mode sample recipes, for the doors and for the vault alike', async () => {
    const outside = await open({ demo: true });
    const recipes = await outside.recipes.list();
    expect(recipes).toHaveLength(6);
    expect(recipes[0]).toMatchObject({
      title: 'Apple Crumble',
      steps: expect.arrayContaining([expect.anything()]),
    });
    expect(await outside.recipes.get(recipes[0]?.id ?? '')).toEqual(recipes[0]);
    expect(await toolNames(outside, 'recipes')).toEqual(
      'list_recipes get_recipe create_recipe update_recipe delete_recipe'.split(' '),
    );
    expect(await toolNames(outside, 'artifacts')).toEqual(['display_recipe']);
    expect(outside.health.status()).toMatchObject([{ name: 'recipes', state: 'ready' }]);
  });

  it('begins empty otherwise, and knows no recipe by a wrong id', async () => {
    const outside = await open({ demo: false });
    expect(await outside.recipes.list()).toEqual([]);
    expect(await outside.recipes.get('00000000-0000-4000-8000-000000000000')).toBeUndefined();
    expect(await outside.recipes.get('../etc/passwd')).toBeUndefined();
  });

  it('has the configured servers, without the disabled ones', async () => {
    const { command, args } = fromNpm('everything');
    const outside = await open({
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

async function open({
  demo,
  mcpServers = {},
}: {
  demo: boolean;
  mcpServers?: object;
}): Promise<OutsideTools> {
  const outside = await openOutsideTools({
    config: {
      dataDir: join(tempFolder(), 'data'),
      demo,
      mcpServers: Settings.parse({ mcpServers }).mcpServers,
    },
    assistants: [kitchen],
    ownSources: [],
    environment: process.env,
    logger: silentLogger,
  });
  onTestFinished(() => outside.close());
  return outside;
}

async function toolNames(outside: OutsideTools, source: string): Promise<readonly string[] | undefined> {
  const tools = await outside.sources.find(({ name }) => name === source)?.tools();
  return tools?.map(({ name }) => name);
}
