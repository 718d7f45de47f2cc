// A process that writes recipes while others do the same: it creates its own, competes for shared titles, and updates
// its own field of a shared recipe. Prints what succeeded.
import { NewRecipe, openRecipes, RecipeError } from '../../src/index.ts';

export interface Outcome {
  readonly created: readonly string[];
  /** Shared titles that this process won. */
  readonly won: readonly string[];
}

const [file, name, count, sharedId] = process.argv.slice(2) as [string, string, string, string];

const recipes = await openRecipes({ file });
const created: string[] = [];
const won: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  created.push((await recipes.create(NewRecipe.parse({ title: `${name} ${index}` }))).id);
  const shared = `shared ${index}`;
  try {
    await recipes.create(NewRecipe.parse({ title: shared, description: name }));
    won.push(shared);
  } catch (thrown) {
    if (!(thrown instanceof RecipeError && thrown.code === 'conflict')) throw thrown;
  }
  // Each process has its own field in one recipe: none may overwrite another's.
  const field = name === 'a' ? 'servings' : name === 'b' ? 'prep_time_minutes' : 'cook_time_minutes';
  await recipes.update(sharedId, { [field]: index + 1 });
}
await recipes.close();
process.stdout.write(JSON.stringify({ created, won } satisfies Outcome));
