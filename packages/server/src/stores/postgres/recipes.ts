// The recipes of all servers. What a recipe is, and every query, comes from the recipe vault.
import { ParleyError } from '@parley/protocol';
import { createRecipes, RecipeError, type Recipes } from '@parley/recipe-vault';
import type { Database } from '../sql/work.ts';
import { postgresDialect } from './dialect.ts';

/** Belongs to the store, which closes the database. */
export function createSharedRecipes(database: Pick<Database, 'read' | 'apart'>): Recipes {
  return createRecipes({
    read: (work) => passingOn((watched) => database.read(watched(work))),
    // Under a lock, because titles are checked before they are written, and in a transaction of its own, because a lock
    // doesn't separate works that share one.
    write: (work) =>
      passingOn((watched) =>
        database.apart(function* () {
          yield* postgresDialect.lock('recipes');
          return yield* watched(work());
        }),
      ),
    close: async () => undefined,
  });
}

/** The store has errors of its own. What a work refuses itself is passed on as it is. */
async function passingOn<T>(
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
