// Recipes that several servers share, and the vault's tools on them.

import { NewRecipe, RecipeError } from '@parley/recipe-vault';
import { runSql } from '@parley/stand-ins/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { openOutsideTools } from '../../src/app/outside-tools.ts';
import { kitchen } from '../../src/assistants/kitchen.ts';
import { createOutgoing } from '../../src/basics/outgoing.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { createSharedRecipes } from '../../src/stores/postgres/recipes.ts';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { usePostgres } from '../stores/postgres-database.ts';
import { tempFolder } from '../tools/mcp/harness.ts';

const postgres = usePostgres();

async function open(url: string) {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return createSharedRecipes(store.database);
}

it('have each title once, and lose no change [cluster.recipes.shared]', async () => {
  const url = await postgres().createDatabase();
  const [one, other] = [await open(url), await open(url)];
  for (let round = 0; round < 5; round += 1) {
    const title = `Soup ${round}`;
    const made = await Promise.allSettled(
      [one, other, one].map((recipes) => recipes.create(NewRecipe.parse({ title: title.toUpperCase() }))),
    );
    const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(2);
    for (const error of refused) expect(error).toMatchObject({ name: 'RecipeError', code: 'conflict' });
    const { id } = (await other.findByTitle(title)) ?? { id: '' };
    await Promise.all([
      one.update(id, { servings: 4 }),
      one.update(id, { description: 'Hot.' }),
      other.update(id, { difficulty: 'easy' }),
    ]);
    expect(await one.get(id)).toMatchObject({ servings: 4, description: 'Hot.', difficulty: 'easy' });
  }
  expect((await other.list({ offset: 1, limit: 2 })).recipes.map(({ title }) => title)).toEqual([
    'SOUP 1',
    'SOUP 2',
  ]);
  expect(await one.fillIfEmpty([NewRecipe.parse({ title: 'Cake' })])).toBe(0);
  await expect(one.get('nonsense')).rejects.toMatchObject({ code: 'invalid' });
  await runSql(url, 'DROP TABLE recipes');
  const failed = await other.list().catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(RecipeError);
  expect(failed).toMatchObject({ code: 'unavailable' });
});

it('are what the tools of assistants use, without another program [cluster.recipes.shared]', async () => {
  const recipes = await open(await postgres().createDatabase());
  const outside = await openOutsideTools({
    config: { demo: true, mcpServers: {}, dataDir: tempFolder() },
    recipes,
    recipesFile: undefined,
    recipeVault: 'not used',
    assistants: [kitchen],
    ownSources: [],
    environment: process.env,
    outgoing: createOutgoing(),
    logger: silentLogger,
  });
  onTestFinished(() => outside.close());
  const vault = outside.sources.find(({ name }) => name === 'recipes');
  const tools = (await vault?.tools()) ?? [];
  expect(tools.map(({ name }) => name)).toEqual(
    'list_recipes get_recipe create_recipe update_recipe delete_recipe'.split(' '),
  );
  expect(outside.health.status()).toMatchObject([{ name: 'recipes', state: 'ready' }]);
  outside.apply({ mcpServers: {}, dataDir: '' }, [kitchen]);
  expect(outside.health.status()).toMatchObject([{ name: 'recipes', state: 'ready', restarts: 0 }]);
  const context = { person: 'anna', signal: AbortSignal.timeout(60_000), progress: () => undefined };
  const created = tools.find(({ name }) => name === 'create_recipe');
  await created?.run({ title: 'Plum Cake' }, context as never);
  expect(await recipes.findByTitle('plum cake')).toMatchObject({ title: 'Plum Cake' });
});
