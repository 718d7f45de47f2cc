// The kitchen assistant: its prompt and its reminder match the existing tools.
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { assistantsOf } from '../../src/assistants/assistants.ts';
import { kitchen } from '../../src/assistants/kitchen.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { openKitchen } from './recipe-vault-program.ts';

describe('the kitchen assistant', () => {
  it('is built in', () => {
    expect([...assistantsOf([]).keys()]).toEqual(['notes', 'kitchen']);
  });

  it('names the tool for listing, for viewing and for showing a new recipe [kitchen.prompt.intents]', () => {
    const rules = kitchen.systemPrompt.split('\n').filter((line) => line.startsWith('- The person'));
    const ruleWith = (words: RegExp) => rules.find((rule) => words.test(rule)) ?? '';
    expect(ruleWith(/what recipes there are|browse/)).toContain('call list_recipes');
    expect(ruleWith(/see, read or cook/)).toContain('call display_recipe');
    expect(ruleWith(/written down/)).toMatch(/create_recipe.*display_recipe with the new recipe_id/);
    expect(kitchen.systemPrompt).toMatch(/Never write full lists of ingredients or steps into the chat/);
  });

  it('shows only calls that the real tools accept [kitchen.prompt.examples-match]', async () => {
    const tools = await realTools();
    const examples = [...kitchen.systemPrompt.matchAll(/→ (\w+) (\{.*\})$/gm)].map(
      ([, name = '', input = '']) => ({ name, input: JSON.parse(input) as Record<string, unknown> }),
    );
    // Every arrow is one of the examples, so that none escapes the check.
    expect(examples).toHaveLength(kitchen.systemPrompt.match(/→/g)?.length ?? 0);
    expect(new Set(examples.map(({ name }) => name))).toEqual(
      new Set(['list_recipes', 'display_recipe', 'get_recipe', 'create_recipe', 'update_recipe']),
    );
    for (const { name, input } of examples) {
      const tool = tools.get(name);
      expect(tool, `the tool ${name} of an example`).toBeDefined();
      const fits = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).compile(
        strict(tool?.inputSchema ?? {}),
      );
      expect(fits(input), `${name}: ${JSON.stringify(fits.errors)}`).toBe(true);
    }
  });

  it('mentions only tools that it has', async () => {
    const tools = await realTools();
    const mentioned = `${kitchen.systemPrompt}${kitchen.reminder?.text}`.match(/\b[a-z]+_recipes?\b/g) ?? [];
    expect([...new Set(mentioned)].filter((name) => !tools.has(name))).toEqual([]);
  });

  it('is reminded of the four patterns from the fifth message on [kitchen.reminder.content]', () => {
    expect(kitchen.reminder?.fromMessage).toBe(5);
    const text = kitchen.reminder?.text ?? '';
    expect(text).toMatch(/list_recipes when the person asks to see their recipes/);
    expect(text).toMatch(/display_recipe to show a recipe in the side panel/);
    expect(text).toMatch(/After creating a recipe, call display_recipe with the new recipe_id/);
    expect(text).toMatch(/Do not write full ingredient lists or steps/);
  });

  /** The tools that the model gets, from the recipe vault's process and from the server. */
  async function realTools(): Promise<ReadonlyMap<string, Tool>> {
    const { sources } = await openKitchen();
    const lists = await Promise.all(kitchen.tools.map(async (name) => sources.get(name)?.tools() ?? []));
    return new Map(lists.flat().map((tool) => [tool.name, tool]));
  }
});

/** Refuses unknown parameters at every level. */
function strict(schema: unknown): Record<string, unknown> {
  if (Array.isArray(schema)) return schema.map(strict) as never;
  if (typeof schema !== 'object' || schema === null) return schema as never;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return 'properties' in inner ? { ...inner, additionalProperties: false } : inner;
}
