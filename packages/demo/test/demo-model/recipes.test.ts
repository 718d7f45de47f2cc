// The demo model with the tools of the kitchen assistant.
import { beforeEach, describe, expect, it } from 'vitest';
import { DemoConversation, type TestTool } from './demo-conversation.ts';

type Recipe = {
  id: string;
  title: string;
  prep_time_minutes?: number;
  cook_time_minutes?: number;
  servings?: number;
  ingredients?: { name: string; quantity: number | null; unit: string | null }[];
};

const text = { type: 'string' };

function kitchenTools(recipes: Recipe[]): Record<string, TestTool> {
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
    mcp__kitchen__update_recipe: {
      properties: { recipe_id: text, servings: { type: 'integer' } },
      required: ['recipe_id'],
      run: ({ recipe_id, servings }) =>
        JSON.stringify(Object.assign(find(recipe_id), { servings: Number(servings) })),
    },
    mcp__kitchen__delete_recipe: {
      properties: { recipe_id: text },
      required: ['recipe_id'],
      run: ({ recipe_id }) =>
        JSON.stringify({ deleted: recipes.splice(recipes.indexOf(find(recipe_id)), 1) }),
    },
    display_recipe: {
      properties: { recipe_id: text, title: text },
      run: ({ recipe_id }) => `Showing ${find(recipe_id).title}`,
    },
  };
}

describe('the demo model with recipes', () => {
  let recipes: Recipe[];
  let conversation: DemoConversation;

  beforeEach(() => {
    recipes = [
      {
        id: 'r1',
        title: 'Tomato Soup',
        prep_time_minutes: 15,
        cook_time_minutes: 30,
        ingredients: [
          { name: 'ripe tomatoes', quantity: 1, unit: 'kg' },
          { name: 'basil', quantity: null, unit: null },
        ],
      },
      { id: 'r2', title: 'Rye Bread' },
    ];
    conversation = new DemoConversation(kitchenTools(recipes));
  });

  it('lists the recipes by the full name of the tool', () => {
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

  it("looks up the id first if it doesn't know it", () => {
    const { calls } = conversation.say('Show me the recipe for rye bread');
    expect(calls.map((call) => call.name)).toEqual(['mcp__kitchen__list_recipes', 'display_recipe']);
  });

  it('says that there is no such recipe', () => {
    expect(conversation.say('Show me the moon cake').text).toContain('no recipe called “moon cake”');
  });

  it('creates a recipe that fits the schema of the tool, and displays it by its new id', () => {
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

  it.each(['List my recipes', 'Recipes?', 'What can we cook tonight?', 'Do I have any recipes?'])(
    'lists the recipes for “%s”',
    (said) => {
      expect(conversation.say(said).text).toContain('You have 2 recipes');
    },
  );

  it.each([
    'How do I make the tomato soup?',
    "Let's cook the tomato soup tonight",
    'I would like to make tomato soup, please',
    'Do we have a recipe for tomato soup?',
    'Which ingredients do I need for the tomato soup?',
    'Show me the recipe for the tomato soup please',
    'Open “Tomato Soup”',
  ])('shows the recipe for “%s”', (said) => {
    const { calls } = conversation.say(said);
    expect(calls.at(-1)).toEqual({ name: 'display_recipe', input: { recipe_id: 'r1' } });
  });

  it.each([
    ['Write down grandma’s plum cake', 'Grandma’s Plum Cake'],
    ['Please save this recipe: plum cake', 'Plum Cake'],
    ['Make a recipe called "plum cake"', 'Plum Cake'],
    ['Add the recipe for plum cake with 500 g plums, flour and sugar.', 'Plum Cake'],
  ])('creates the recipe for “%s”', (said, title) => {
    expect(conversation.say(said).text).toContain(`I created ${title}.`);
    expect(recipes.at(-1)?.title).toBe(title);
  });

  it('writes down the ingredients of a recipe', () => {
    const properties = { title: text, ingredients: { type: 'array' } };
    const listening = new DemoConversation({ create_recipe: { properties, run: () => '{"id":"r9"}' } });
    const { calls } = listening.say('Create a recipe for plum cake with 500 g plums, 2 eggs and sugar.');
    expect(calls[0]?.input).toEqual({
      title: 'Plum Cake',
      ingredients: [
        { position: 1, name: 'plums', quantity: 500, unit: 'g' },
        { position: 2, name: 'eggs', quantity: 2 },
        { position: 3, name: 'sugar' },
      ],
    });
  });

  it("says what is in a recipe and what isn't", () => {
    expect(conversation.say('Does the tomato soup need tomatoes?').text).toBe('Yes: 1 kg ripe tomatoes.');
    expect(conversation.say('Does it need basil?').text).toBe('Yes: basil.');
    expect(conversation.say('Does it have any cream?').text).toBe('No, there is no cream in Tomato Soup.');
  });

  it('changes the servings of a recipe and shows it', () => {
    const { calls } = conversation.say('Make the tomato soup for six people');
    expect(calls.slice(-2)).toEqual([
      { name: 'mcp__kitchen__update_recipe', input: { recipe_id: 'r1', servings: 6 } },
      { name: 'display_recipe', input: { recipe_id: 'r1' } },
    ]);
    expect(conversation.say('Make it for 8').text).toContain('It now serves 8');
    expect(recipes[0]?.servings).toBe(8);
  });

  it('deletes a recipe only after a confirmation', () => {
    const asked = conversation.say('Delete the rye bread');
    expect(asked.text).toContain('say “Yes, delete the rye bread”');
    expect(recipes).toHaveLength(2);
    expect(conversation.say('Yes, delete the rye bread').text).toBe('I deleted it.');
    expect(recipes.map(({ title }) => title)).toEqual(['Tomato Soup']);
  });

  it('can do everything it suggests', () => {
    const titles = ['Apple Crumble', 'Roasted Tomato Soup', 'Red Lentil Dal', 'Overnight Rye Bread'];
    const fresh = (): DemoConversation =>
      new DemoConversation(kitchenTools(titles.map((title, at) => ({ id: `r${at}`, title }))));
    const suggested = [
      ...fresh()
        .say('What can you do?')
        .text.matchAll(/- “(.+)”/g),
    ].map(([, said = '']) => said);
    const answers = suggested
      .filter((said) => !/^(Send a photo|Attach a PDF)/.test(said))
      .map((said) => [said, fresh().say(said).text] as const);

    expect(answers.length).toBeGreaterThan(8);
    for (const [said, answer] of answers)
      expect(`${said}: ${answer}`).not.toMatch(/didn't understand|no recipe called/);
  });

  it('says how long the last shown recipe takes', () => {
    conversation.say('What recipes do I have?');
    conversation.say('Show me the tomato soup');
    const { text: answer, calls } = conversation.say('How long does it take?');
    expect(calls).toEqual([{ name: 'mcp__kitchen__get_recipe', input: { recipe_id: 'r1' } }]);
    expect(answer).toContain('Tomato Soup takes 45 minutes (15 to prepare, 30 to cook)');
    expect(conversation.say('And how long did you say?').calls).toEqual([]);
  });

  it('says when a recipe has no time', () => {
    conversation.say('Show me the rye bread');
    expect(conversation.say('How long does it take?').text).toContain("doesn't say how long");
  });
});
