// The language of the recipe vault: what a recipe is, what may be given to create one, and what may change.
import { z } from 'zod';

export const RecipeId = z.uuid();
export type RecipeId = z.infer<typeof RecipeId>;

export const Difficulty = z.enum(['easy', 'medium', 'hard']);
export type Difficulty = z.infer<typeof Difficulty>;

const Minutes = z.int().min(0).max(100_000);
const Quantity = z.number().min(0).max(1_000_000);
const Celsius = z.number().min(-100).max(1_000);

export const Ingredient = z.object({
  position: z.int(),
  name: z.string(),
  quantity: Quantity.nullable(),
  unit: z.string().nullable(),
  notes: z.string().nullable(),
});
export type Ingredient = z.infer<typeof Ingredient>;

export const Step = z.object({
  position: z.int(),
  instruction: z.string(),
  duration_minutes: Minutes.nullable(),
  temperature_celsius: Celsius.nullable(),
});
export type Step = z.infer<typeof Step>;

/** What a list shows of a recipe. */
export const RecipeSummary = z.object({
  id: RecipeId,
  title: z.string(),
  description: z.string(),
  prep_time_minutes: Minutes.nullable(),
  cook_time_minutes: Minutes.nullable(),
  servings: z.int().nullable(),
  difficulty: Difficulty.nullable(),
});
export type RecipeSummary = z.infer<typeof RecipeSummary>;

export const Recipe = RecipeSummary.extend({
  ingredients: z.array(Ingredient),
  steps: z.array(Step),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Recipe = z.infer<typeof Recipe>;

/** Part of the list of recipes, by title. */
export const RecipePage = z.object({
  recipes: z.array(RecipeSummary),
  /** How many recipes there are in all. */
  total: z.int(),
});
export type RecipePage = z.infer<typeof RecipePage>;

const text = (most: number) => z.string().overwrite(tidy).max(most);
const Position = z.int().min(1).max(1_000).optional();

const NewIngredient = z.strictObject({
  position: Position.describe('Its place in the list. Left out, the order of the list counts.'),
  name: text(200).min(1).describe('What it is, such as "plain flour".'),
  quantity: Quantity.nullish().describe('How much of it, for all servings.'),
  unit: text(40).nullish().describe('The unit of the quantity, such as "g", "ml", "tbsp"; none for pieces.'),
  notes: text(500).nullish().describe('How it is prepared or what can replace it.'),
});

const NewStep = z.strictObject({
  position: Position.describe('Its place in the order. Left out, the order of the list counts.'),
  instruction: text(4_000).min(1).describe('What to do, in one or a few sentences.'),
  duration_minutes: Minutes.nullish().describe('How long it takes, where a timer helps.'),
  temperature_celsius: Celsius.nullish().describe('The temperature of oven or pan, where it matters.'),
});

/** All that a person decides about a recipe; the rest is given to it. */
const fields = {
  title: text(200).min(1).describe('A short name that no other recipe has.'),
  description: text(2_000).describe('One or two sentences on what it is and when to make it.'),
  prep_time_minutes: Minutes.nullish().describe('Minutes of work before cooking.'),
  cook_time_minutes: Minutes.nullish().describe('Minutes on the stove or in the oven.'),
  servings: z.int().min(1).max(1_000).nullish().describe('For how many people the quantities are.'),
  difficulty: Difficulty.nullish().describe('How hard it is.'),
  ingredients: z.array(NewIngredient).max(200).describe('Everything that goes in.'),
  steps: z.array(NewStep).max(200).describe('What to do, one thing after the other.'),
};

export const NewRecipe = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  ingredients: fields.ingredients.default([]),
  steps: fields.steps.default([]),
});
export type NewRecipe = z.infer<typeof NewRecipe>;

/** Only what is given changes; `null` takes a value away, and a list is replaced as a whole. */
export const RecipeChange = z.strictObject(fields).partial();
export type RecipeChange = z.infer<typeof RecipeChange>;

/** Two titles that people would read as the same have the same key. */
export function titleKey(title: string): string {
  return tidy(title).normalize('NFKC').replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Recipes are also shown on pages and in terminals: no control characters, one form of each letter. */
function tidy(given: string): string {
  return given
    .normalize('NFC')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
