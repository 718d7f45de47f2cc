// The tool source `artifacts`: shows things in a panel next to the chat. The recipe is the first kind.
import { ParleyError } from '@parley/protocol';
import { type Recipe, RecipeError, type Recipes } from '@parley/recipe-vault';
import { z } from 'zod';
import type { Tool, ToolSource } from '../../domain/tool.ts';

export interface ArtifactOptions {
  readonly recipes: Pick<Recipes, 'get' | 'findByTitle'>;
}

export function createArtifactTools({ recipes }: ArtifactOptions): ToolSource {
  const tools = [displayRecipe(recipes)];
  return { name: 'artifacts', tools: () => Promise.resolve(tools), close: () => Promise.resolve() };
}

// Both are optional, because the Messages API accepts no alternatives at the top of a schema.
const Wanted = z.strictObject({
  recipe_id: z.string().max(100).optional().describe('The id of the recipe. Use it whenever you know it.'),
  title: z
    .string()
    .max(500)
    .optional()
    .describe('The title of the recipe, if you do not know its id. Case does not matter.'),
});

function displayRecipe(recipes: ArtifactOptions['recipes']): Tool {
  return {
    name: 'display_recipe',
    description:
      'Shows a recipe to the person in a panel next to the chat, with its ingredients and steps. Give either recipe_id or title.',
    inputSchema: z.toJSONSchema(Wanted),
    async run(input, context) {
      const recipe = await find(recipes, Wanted.parse(input));
      // The panel opens before the model gets the result.
      await context.emit({ type: 'artifact', kind: 'recipe', id: recipe.id });
      return { content: shown(recipe) };
    },
  };
}

async function find(
  recipes: ArtifactOptions['recipes'],
  { recipe_id, title }: z.infer<typeof Wanted>,
): Promise<Recipe> {
  try {
    // Models that have one of the two may send the other as an empty string.
    if (recipe_id) return await recipes.get(recipe_id);
    if (title === undefined || title.trim() === '')
      throw new ParleyError('invalid', 'Give the recipe_id or the title of the recipe to show.');
    const recipe = await recipes.findByTitle(title);
    if (recipe !== undefined) return recipe;
    throw new ParleyError(
      'not_found',
      `There is no recipe called “${title}”. list_recipes shows all titles.`,
    );
  } catch (thrown) {
    throw thrown instanceof RecipeError
      ? new ParleyError(thrown.code, thrown.message, { cause: thrown })
      : thrown;
  }
}

/** Enough to talk about the recipe, without what the person already sees. */
function shown({ id, title, prep_time_minutes, cook_time_minutes, servings, difficulty }: Recipe): string {
  const facts = { recipe_id: id, title, prep_time_minutes, cook_time_minutes, servings, difficulty };
  return `The person now sees the full recipe next to the chat. Do not repeat its ingredients or steps.\n${JSON.stringify(facts)}`;
}
