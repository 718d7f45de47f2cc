// The tool that shows a recipe next to the chat, over a real recipe database.
import { ParleyError } from '@parley/protocol';
import { NewRecipe, openRecipes, type Recipe, type Recipes } from '@parley/recipe-vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool, ToolEvent, ToolResult } from '../../../src/domain/tool.ts';
import { createArtifactTools } from '../../../src/tools/artifacts/source.ts';
import { contextOf } from '../calls.ts';

describe('display_recipe', () => {
  let recipes: Recipes;
  let soup: Recipe;
  let tool: Tool;
  let happened: (ToolEvent | 'result')[];

  beforeEach(async () => {
    recipes = await openRecipes({ file: ':memory:' });
    soup = await recipes.create(
      NewRecipe.parse({
        title: 'Tomato Soup',
        cook_time_minutes: 30,
        ingredients: [{ name: 'tomatoes' }],
        steps: [{ instruction: 'Simmer.' }],
      }),
    );
    tool = (await createArtifactTools({ recipes }).tools())[0] as Tool;
    happened = [];
  });
  afterEach(() => recipes.close());

  async function run(input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const emit = async (event: ToolEvent) => {
      // As in the engine, where storing an event takes time.
      await new Promise((resolve) => setTimeout(resolve, 5));
      happened.push(event);
    };
    const result = await tool.run(input, contextOf({ emit }));
    happened.push('result');
    return result;
  }

  it('sends the artifact before its result', async () => {
    const { content, failed } = await run({ recipe_id: soup.id });
    expect(happened).toEqual([{ type: 'artifact', kind: 'recipe', id: soup.id }, 'result']);
    expect(failed).toBeUndefined();
    expect(content).toContain('"title":"Tomato Soup"');
    expect(content).toContain('"cook_time_minutes":30');
  });

  it('does not return ingredients and steps to the model', async () => {
    expect((await run({ recipe_id: soup.id })).content).not.toMatch(/tomatoes|Simmer/);
  });

  it('finds a recipe by its title in any case, also with an empty id', async () => {
    await run({ recipe_id: '', title: ' tomato SOUP ' });
    expect(happened[0]).toEqual({ type: 'artifact', kind: 'recipe', id: soup.id });
  });

  it.each([
    [{ recipe_id: '00000000-0000-4000-8000-000000000000' }, 'not_found', 'There is no recipe with the id'],
    [{ recipe_id: 'soup' }, 'invalid', 'is not a recipe id'],
    [{ title: 'Moon Cake' }, 'not_found', 'There is no recipe called “Moon Cake”'],
    [{ recipe_id: '', title: ' ' }, 'invalid', 'Give the recipe_id or the title'],
    [{}, 'invalid', 'Give the recipe_id or the title'],
  ])(
    'refuses %j with a sentence and sends no artifact [kitchen.recipes.display-unknown]',
    async (input, code, said) => {
      const thrown: unknown = await run(input).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(ParleyError);
      expect(thrown).toMatchObject({ code, message: expect.stringContaining(said) });
      expect(happened).toEqual([]);
    },
  );
});
