// The recipes that all servers share. The recipe vault defines what a recipe is, and has all queries.
import { ParleyError } from '@parley/protocol';
import { createRecipes, RecipeError, type Recipes } from '@parley/recipe-vault';
import type { Database } from '../sql/work.ts';
import { postgresDialect } from './dialect.ts';

/** The store closes the database, so closing the recipes does nothing. */
export function createSharedRecipes(database: Pick<Database, 'read' | 'apart'>): Recipes {
  return createRecipes({
    read: (work) => withRecipeErrors((watched) => database.read(watched(work))),
    // Under a lock, because titles are checked before they are written, and in a transaction of its own, because a lock
    // doesn't keep apart writes that share one.
    write: (work) =>
      withRecipeErrors((watched) =>
        database.apart(function* () {
          yield* postgresDialect.lock('recipes');
          return yield* watched(work());
        }),
      ),
    close: async () => undefined,
  });
}

/** Turns the store's errors into a RecipeError. One that the work itself throws is passed on unchanged. */
async function withRecipeErrors<T>(
  run: (watched: <Y, N>(work: Generator<Y, T, N>) => Generator<Y, T, N>) => Promise<T>,
): Promise<T> {
  let refused: RecipeError | undefined;
  function* watched<Y, N>(work: Generator<Y, T, N>): Generator<Y, T, N> {
    refused = undefined;
    try {
      return yield* work;
    } catch (thrown) {
      if (thrown instanceof RecipeError) refused = thrown;
      throw thrown;
    }
  }
  try {
    return await run(watched);
  } catch (thrown) {
    if (refused) throw refused;
    if (!(thrown instanceof ParleyError)) throw thrown;
    throw new RecipeError('unavailable', thrown.message, { cause: thrown });
  }
}
