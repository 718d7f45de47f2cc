// The recipe collection as doors show it, from the database that the recipe vault shares with the server.
import { ParleyError, type Recipe } from '@parley/protocol';
import { RecipeError, type Recipes } from '@parley/recipe-vault';
import type { RecipeShelf } from '../../domain/recipes.ts';

const pageSize = 500;
/** More recipes than a page could show anyway. */
const mostRecipes = 10_000;

export function createRecipeShelf(recipes: Pick<Recipes, 'listWhole' | 'get'>): RecipeShelf {
  return {
    async list() {
      const all: Recipe[] = [];
      while (all.length < mostRecipes) {
        const page = await recipes.listWhole({ offset: all.length, limit: pageSize }).catch(rethrow);
        all.push(...page);
        if (page.length < pageSize) break;
      }
      return all;
    },
    async get(id) {
      try {
        return await recipes.get(id);
      } catch (thrown) {
        if (thrown instanceof RecipeError && (thrown.code === 'not_found' || thrown.code === 'invalid'))
          return undefined;
        return rethrow(thrown);
      }
    },
  };
}

function rethrow(thrown: unknown): never {
  throw thrown instanceof RecipeError
    ? new ParleyError(thrown.code, thrown.message, { cause: thrown })
    : thrown;
}
