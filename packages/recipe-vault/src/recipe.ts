// The schemas of the recipe vault: a recipe, the input to create one, and the input to change one.
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

/** A page of the recipe list, sorted by title. */
export const RecipePage = z.object({
  recipes: z.array(RecipeSummary),
  /** How many recipes there are in total. */
  total: z.int(),
});
export type RecipePage = z.infer<typeof RecipePage>;

const text = (maxLength: number) => z.string().overwrite(tidy).max(maxLength);
const Position = z.int().min(1).max(1_000).optional();

const NewIngredient = z.strictObject({
  position: Position.describe('Its position in the list. By default the order of the list.'),
  name: text(200).min(1).describe('What it is, such as "plain flour".'),
  quantity: Quantity.nullish().describe('How much of it, for all servings.'),
  unit: text(40).nullish().describe('The unit of the quantity, such as "g", "ml", "tbsp"; none for pieces.'),
  notes: text(500).nullish().describe('How to prepare it, or what can replace it.'),
});

const NewStep = z.strictObject({
  position: Position.describe('Its position in the order. By default the order of the list.'),
  instruction: text(4_000).min(1).describe('What to do, in one or a few sentences.'),
  duration_minutes: Minutes.nullish().describe('How long it takes, if a timer helps.'),
  temperature_celsius: Celsius.nullish().describe('The temperature of the oven or pan, if it matters.'),
});

/** Everything that a person decides about a recipe. The vault adds id and times. */
const fields = {
  title: text(200).min(1).describe('A short name that no other recipe has.'),
  description: text(2_000).describe('One or two sentences on what it is and when to make it.'),
  prep_time_minutes: Minutes.nullish().describe('Minutes of work before cooking.'),
  cook_time_minutes: Minutes.nullish().describe('Minutes on the stove or in the oven.'),
  servings: z.int().min(1).max(1_000).nullish().describe('How many people the quantities are for.'),
  difficulty: Difficulty.nullish().describe('How hard it is.'),
  ingredients: z.array(NewIngredient).max(200).describe('Everything that goes in.'),
  steps: z.array(NewStep).max(200).describe('What to do, step by step.'),
};

export const NewRecipe = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  ingredients: fields.ingredients.default([]),
  steps: fields.steps.default([]),
});
export type NewRecipe = z.infer<typeof NewRecipe>;

/** Only fields that are set change; `null` clears a value, and a list replaces the old one. */
export const RecipeChange = z.strictObject(fields).partial();
export type RecipeChange = z.infer<typeof RecipeChange>;

/** Titles that look the same to people have the same key. */
export function titleKey(title: string): string {
  return tidy(title).normalize('NFKC').replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Removes control characters and normalizes letters, because recipes are shown on pages and in terminals. */
function tidy(input: string): string {
  return input
    .normalize('NFC')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
