// Processes that share the database file: Claude Desktop's MCP server and Parley may have it open at once.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundleFile } from '../../../scripts/bundle.mjs';
import { NewRecipe, openRecipes } from '../src/index.ts';
import type { Outcome } from './children/racing-cook.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

describe('a recipe database shared by processes', () => {
  it('loses nothing when three processes write at once', async () => {
    const file = join(tempFolder(), 'recipes.db');
    const recipes = await openRecipes({ file });
    const shared = await recipes.create(NewRecipe.parse({ title: 'of all' }));
    const child = await bundleFile('packages/recipe-vault/test/children/racing-cook.ts');
    const count = 40;
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const { stdout } = await run(process.execPath, [child, file, name, `${count}`, shared.id]);
        return JSON.parse(stdout) as Outcome;
      }),
    );

    for (const { created } of outcomes) {
      expect(created).toHaveLength(count);
      for (const id of created) expect(await recipes.get(id)).toMatchObject({ id });
    }
    expect(outcomes.flatMap(({ won }) => won).sort()).toEqual(
      Array.from({ length: count }, (_, index) => `shared ${index}`).sort(),
    );
    expect((await recipes.list()).total).toBe(1 + 3 * count + count);
    expect(await recipes.get(shared.id)).toMatchObject({
      servings: count,
      prep_time_minutes: count,
      cook_time_minutes: count,
    });
    await recipes.close();
  });

  it('is created once by processes that open it at the same time', async () => {
    const child = await bundleFile('packages/recipe-vault/test/children/opener.ts');
    for (let round = 0; round < 3; round += 1) {
      const file = join(tempFolder(), 'recipes.db');
      const seeded = await Promise.all(
        Array.from({ length: 4 }, async () => Number((await run(process.execPath, [child, file])).stdout)),
      );
      expect(seeded.filter((count) => count > 0)).toHaveLength(1);
      const recipes = await openRecipes({ file });
      expect((await recipes.list()).total).toBe(Math.max(...seeded));
      await recipes.close();
    }
  });
});
