// The tools of the recipe vault: the text for the model, the schemas, and what each tool does.
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

// A plain string, so that the error for an invalid one can say where ids come from.
const recipe_id = z.string().describe('The id of the recipe, from list_recipes.');
const reading = { readOnlyHint: true, openWorldHint: false };
const writing = { readOnlyHint: false, openWorldHint: false };

const listRecipes = tool({
  name: 'list_recipes',
  title: 'List recipes',
  description:
    'Lists the recipes by title, with id, description, times, servings and difficulty, but without ingredients and steps. Long collections come 200 at a time; total says how many there are.',
  annotations: reading,
  input: z.strictObject({
    offset: z.int().min(0).optional().describe('How many recipes to skip; 0 by default.'),
  }),
  output: RecipePage,
  run: (recipes, { offset = 0 }) => recipes.list({ offset }),
});

const getRecipe = tool({
  name: 'get_recipe',
  title: 'Get a recipe',
  description: 'Returns one whole recipe, with its ingredients and steps.',
  annotations: reading,
  input: z.strictObject({ recipe_id }),
  output: Recipe,
  run: (recipes, input) => recipes.get(input.recipe_id),
});

const createRecipe = tool({
  name: 'create_recipe',
  title: 'Create a recipe',
  description:
    'Adds a recipe to the collection and returns it with its new id. The title must not exist yet.',
  annotations: { ...writing, destructiveHint: false, idempotentHint: false },
  input: NewRecipe,
  output: Recipe,
  run: (recipes, input) => recipes.create(input),
});

const updateRecipe = tool({
  name: 'update_recipe',
  title: 'Change a recipe',
  description:
    'Changes a recipe and returns it. Only fields that are set change; null clears a value; a list of ingredients or steps replaces the old one.',
  annotations: { ...writing, destructiveHint: true, idempotentHint: true },
  input: RecipeChange.extend({ recipe_id }),
  output: Recipe,
  run: (recipes, { recipe_id: id, ...change }) => recipes.update(id, change),
});

const deleteRecipe = tool({
  name: 'delete_recipe',
  title: 'Delete a recipe',
  description: 'Deletes a recipe permanently. Ask the person first.',
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

/** The tool as clients list it. */
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

/** Types `run` by the tool's own schema. The server passes it only input that the schema accepted. */
function tool<Input>(definition: RecipeTool<Input>): RecipeTool {
  return definition;
}
