// The tools of the recipe vault: for each its words for the model, its schemas, and what it does.
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { NewRecipe, Recipe, RecipeChange, RecipePage } from './recipe.ts';
import type { Recipes } from './recipes.ts';

type Json = Record<string, unknown>;

interface RecipeTool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Json>;
  run(recipes: Recipes, input: Input): Promise<Json>;
}

// A plain string, so that a wrong one is answered with a sentence on where ids come from.
const recipe_id = z.string().describe('The id of the recipe, as list_recipes gives it.');
const reading = { readOnlyHint: true, openWorldHint: false };
const writing = { readOnlyHint: false, openWorldHint: false };

const listRecipes = tool({
  name: 'list_recipes',
  title: 'List recipes',
  description:
    'Lists the recipes by title, with id, description, times, servings and difficulty, but without ingredients and steps. Long collections come 200 at a time; total says how many there are.',
  annotations: reading,
  input: z.strictObject({
    offset: z.int().min(0).optional().describe('How many recipes to pass over. Left out, it is 0.'),
  }),
  output: RecipePage,
  run: (recipes, { offset = 0 }) => recipes.list({ offset }),
});

const getRecipe = tool({
  name: 'get_recipe',
  title: 'Get a recipe',
  description: 'Gives one whole recipe, with its ingredients and steps.',
  annotations: reading,
  input: z.strictObject({ recipe_id }),
  output: Recipe,
  run: (recipes, input) => recipes.get(input.recipe_id),
});

const createRecipe = tool({
  name: 'create_recipe',
  title: 'Create a recipe',
  description: 'Adds a recipe to the collection and gives it back with its new id. Its title must be new.',
  annotations: { ...writing, destructiveHint: false, idempotentHint: false },
  input: NewRecipe,
  output: Recipe,
  run: (recipes, input) => recipes.create(input),
});

const updateRecipe = tool({
  name: 'update_recipe',
  title: 'Change a recipe',
  description:
    'Changes a recipe and gives it back. Only what is given changes; null takes a value away; a list of ingredients or steps replaces the one there was.',
  annotations: { ...writing, destructiveHint: true, idempotentHint: true },
  input: RecipeChange.extend({ recipe_id }),
  output: Recipe,
  run: (recipes, { recipe_id: id, ...change }) => recipes.update(id, change),
});

const deleteRecipe = tool({
  name: 'delete_recipe',
  title: 'Delete a recipe',
  description: 'Removes a recipe for good. Ask the person first.',
  annotations: { ...writing, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({ recipe_id }),
  output: z.object({ deleted: z.object({ id: z.string(), title: z.string() }) }),
  async run(recipes, input) {
    const { id, title } = await recipes.delete(input.recipe_id);
    return { deleted: { id, title } };
  },
});

export const recipeTools: readonly RecipeTool[] = [
  listRecipes,
  getRecipe,
  createRecipe,
  updateRecipe,
  deleteRecipe,
];

/** As a client lists it. */
export function describeTool({ name, title, description, annotations, input, output }: RecipeTool): Tool {
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as Tool['inputSchema'],
    outputSchema: z.toJSONSchema(output) as NonNullable<Tool['outputSchema']>,
  };
}

/** Keeps the input's type where the tool is written; the server hands it what its own schema let through. */
function tool<Input>(definition: RecipeTool<Input>): RecipeTool {
  return definition;
}
