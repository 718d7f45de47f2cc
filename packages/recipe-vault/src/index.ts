export { RecipeError, type RecipeErrorCode } from './errors.ts';
export {
  Difficulty,
  Ingredient,
  NewRecipe,
  Recipe,
  RecipeChange,
  RecipeId,
  RecipePage,
  RecipeSummary,
  Step,
} from './recipe.ts';
export {
  createRecipes,
  openRecipes,
  type RecipeDatabase,
  type Recipes,
  type RecipesOptions,
} from './recipes.ts';
export { sampleRecipes, seedRecipes } from './samples.ts';
