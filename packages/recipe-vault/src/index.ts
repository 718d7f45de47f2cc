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
export { openRecipes, type Recipes, type RecipesOptions } from './recipes.ts';
export { sampleRecipes, seedRecipes } from './samples.ts';
