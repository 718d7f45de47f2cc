// The recipe collection for the doors, read from the repository of the recipe vault.
import { ParleyError, type Recipe } from '@parley/protocol';
import { RecipeError, type Recipes } from '@parley/recipe-vault';
import type { RecipeShelf } from '../../domain/recipes.ts';

/** Of a larger collection, only the first ones by title are shown. */
const maxShown = 2_000;
const pageSize = 200;

export function createRecipeShelf(recipes: Pick<Recipes, 'list' | 'get'>): RecipeShelf {
  return {
    async list() {
      const found: Recipe[] = [];
      for (let offset = 0; offset < maxShown; offset += pageSize) {
        const page = await recipes.list({ offset, limit: pageSize }).catch(rethrow);
        const whole = await Promise.all(page.recipes.map(({ id }) => find(recipes, id)));
        found.push(...whole.filter((recipe) => recipe !== undefined));
        if (page.recipes.length < pageSize) break;
      }
      return found;
    },
    get: (id) => find(recipes, id),
  };
}

async function find(recipes: Pick<Recipes, 'get'>, id: string): Promise<Recipe | undefined> {
  try {
    return await recipes.get(id);
  } catch (thrown) {
    const isNone =
      thrown instanceof RecipeError && (thrown.code === 'not_found' || thrown.code === 'invalid');
    return isNone ? undefined : rethrow(thrown);
  }
}

function rethrow(thrown: unknown): never {
  throw thrown instanceof RecipeError
    ? new ParleyError(thrown.code, thrown.message, { cause: thrown })
    : thrown;
}
