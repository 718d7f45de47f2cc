// A process that opens a database while others do the same, and seeds it if it is the first.
import { openRecipes, seedRecipes } from '../../src/index.ts';

const [file = ''] = process.argv.slice(2);
const recipes = await openRecipes({ file });
process.stdout.write(`${await seedRecipes(recipes)}`);
await recipes.close();
