// A recipe as clients receive it.
import { z } from 'zod';

const Minutes = z.int().nonnegative().nullable();

export const RecipeIngredient = z.object({
  position: z.int(),
  name: z.string(),
  quantity: z.number().nullable(),
  unit: z.string().nullable(),
  notes: z.string().nullable(),
});
export type RecipeIngredient = z.infer<typeof RecipeIngredient>;

export const RecipeStep = z.object({
  position: z.int(),
  instruction: z.string(),
  duration_minutes: Minutes,
  temperature_celsius: z.number().nullable(),
});
export type RecipeStep = z.infer<typeof RecipeStep>;

export const Recipe = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  prep_time_minutes: Minutes,
  cook_time_minutes: Minutes,
  servings: z.int().nullable(),
  difficulty: z.enum(['easy', 'medium', 'hard']).nullable(),
  ingredients: z.array(RecipeIngredient),
  steps: z.array(RecipeStep),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Recipe = z.infer<typeof Recipe>;
