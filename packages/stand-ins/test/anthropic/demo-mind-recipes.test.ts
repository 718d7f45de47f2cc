// The demo mind as the kitchen assistant would use it.
import { beforeEach, describe, expect, it } from 'vitest';
import { DemoConversation, type FakeTool } from './demo-conversation.ts';

type Recipe = { id: string; title: string; prep_time_minutes?: number; cook_time_minutes?: number };

const text = { type: 'string' };

function kitchenTools(recipes: Recipe[]): Record<string, FakeTool> {
  const find = (id: unknown): Recipe => {
    const found = recipes.find((recipe) => recipe.id === id);
    if (found === undefined) throw new Error(`Recipe not found: ${String(id)}`);
    return found;
  };
  return {
    mcp__kitchen__list_recipes: {
      properties: {},
      run: () => JSON.stringify({ recipes: recipes.map(({ id, title }) => ({ id, title })) }),
    },
    mcp__kitchen__get_recipe: {
      properties: { recipe_id: text },
      required: ['recipe_id'],
      run: ({ recipe_id }) => JSON.stringify(find(recipe_id)),
    },
    mcp__kitchen__create_recipe: {
      properties: {
        title: text,
        description: text,
        prep_time_minutes: { type: 'integer' },
        difficulty: { type: 'string', enum: ['simple', 'hard'] },
      },
      required: ['title', 'description'],
      run(input) {
        const recipe = { ...input, id: `r${recipes.length + 1}`, title: String(input['title']) };
        recipes.push(recipe);
        return `Created: ${JSON.stringify(recipe)}`;
      },
    },
    display_recipe: {
      properties: { recipe_id: text, title: text },
      run: ({ recipe_id }) => `Showing ${find(recipe_id).title}`,
    },
  };
}

describe('the demo mind over recipes', () => {
  let recipes: Recipe[];
  let conversation: DemoConversation;

  beforeEach(() => {
    recipes = [
      { id: 'r1', title: 'Tomato Soup', prep_time_minutes: 15, cook_time_minutes: 30 },
      { id: 'r2', title: 'Rye Bread' },
    ];
    conversation = new DemoConversation(kitchenTools(recipes));
  });

  it('lists the recipes, by the full name of the tool', () => {
    const { text: answer, calls } = conversation.say('What recipes do I have?');
    expect(calls).toEqual([{ name: 'mcp__kitchen__list_recipes', input: {} }]);
    expect(answer).toMatch(/2 recipes[\s\S]*Tomato Soup[\s\S]*Rye Bread/);
  });

  it('shows a recipe with the id from an earlier tool result', () => {
    conversation.say('What recipes do I have?');
    const { text: answer, calls } = conversation.say('Show me the tomato soup');
    expect(calls).toEqual([{ name: 'display_recipe', input: { recipe_id: 'r1' } }]);
    expect(answer).toContain('Here is Tomato Soup');
  });

  it('looks the id up first when it knows none', () => {
    const { calls } = conversation.say('Show me the recipe for rye bread');
    expect(calls.map((call) => call.name)).toEqual(['mcp__kitchen__list_recipes', 'display_recipe']);
  });

  it('says that there is no such recipe', () => {
    expect(conversation.say('Show me the moon cake').text).toContain('no recipe called “moon cake”');
  });

  it('creates a recipe within the schema of the tool, and displays it by its new id', () => {
    const { text: answer, calls } = conversation.say('Create a recipe for a pumpkin pie');
    expect(calls).toEqual([
      {
        name: 'mcp__kitchen__create_recipe',
        input: {
          title: 'Pumpkin Pie',
          description: expect.any(String),
          prep_time_minutes: 15,
          difficulty: 'simple',
        },
      },
      { name: 'display_recipe', input: { recipe_id: 'r3' } },
    ]);
    expect(answer).toContain('I created Pumpkin Pie');
  });

  it('answers how long it takes for the recipe shown before', () => {
    conversation.say('What recipes do I have?');
    conversation.say('Show me the tomato soup');
    const { text: answer, calls } = conversation.say('How long does it take?');
    expect(calls).toEqual([{ name: 'mcp__kitchen__get_recipe', input: { recipe_id: 'r1' } }]);
    expect(answer).toContain('Tomato Soup takes 45 minutes (15 to prepare, 30 to cook)');
    expect(conversation.say('And how long did you say?').calls).toEqual([]);
  });

  it('says when a recipe does not tell its time', () => {
    conversation.say('Show me the rye bread');
    expect(conversation.say('How long does it take?').text).toContain('does not say how long');
  });
});
