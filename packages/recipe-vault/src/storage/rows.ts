// Converts a recipe to its row and back.
import type { Ingredient, NewRecipe, Recipe, RecipeSummary, Step } from '../recipe.ts';
import { titleKey } from '../recipe.ts';
import type { RecipeRow } from './tables.ts';

export const summaryColumns = [
  'id',
  'title',
  'description',
  'prep_time_minutes',
  'cook_time_minutes',
  'servings',
  'difficulty',
] as const satisfies readonly (keyof RecipeRow & keyof RecipeSummary)[];

export function toRecipe(row: RecipeRow): Recipe {
  const { title_key: _, ingredients, steps, ...rest } = row;
  return {
    ...rest,
    difficulty: rest.difficulty as Recipe['difficulty'],
    ingredients: JSON.parse(ingredients) as Ingredient[],
    steps: JSON.parse(steps) as Step[],
  };
}

export function toRow(recipe: Recipe): RecipeRow {
  return {
    ...recipe,
    title_key: titleKey(recipe.title),
    ingredients: JSON.stringify(recipe.ingredients),
    steps: JSON.stringify(recipe.steps),
  };
}

/** The whole recipe: what a person decided about it, plus id and times. */
export function complete(
  content: NewRecipe,
  added: Pick<Recipe, 'id' | 'created_at' | 'updated_at'>,
): Recipe {
  return {
    id: added.id,
    title: content.title,
    description: content.description,
    prep_time_minutes: content.prep_time_minutes ?? null,
    cook_time_minutes: content.cook_time_minutes ?? null,
    servings: content.servings ?? null,
    difficulty: content.difficulty ?? null,
    ingredients: inOrder(content.ingredients).map((ingredient, index) => ({
      position: index + 1,
      name: ingredient.name,
      quantity: ingredient.quantity ?? null,
      unit: ingredient.unit || null,
      notes: ingredient.notes || null,
    })),
    steps: inOrder(content.steps).map((step, index) => ({
      position: index + 1,
      instruction: step.instruction,
      duration_minutes: step.duration_minutes ?? null,
      temperature_celsius: step.temperature_celsius ?? null,
    })),
    created_at: added.created_at,
    updated_at: added.updated_at,
  };
}

/** By position if set, else by the order of the list. */
function inOrder<Item extends { readonly position?: number | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  return items
    .map((item, index) => ({ item, at: item.position ?? index + 1 }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
