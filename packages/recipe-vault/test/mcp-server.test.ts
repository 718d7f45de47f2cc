// The program as the official MCP client sees it, over stdin and stdout.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { recipeVaultProgram } from '../../../scripts/bundle.mjs';
import { openRecipes } from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

let program: string;

beforeAll(async () => {
  program = await recipeVaultProgram();
});

describe('the recipe vault over MCP', () => {
  let database: string;
  let client: Client;

  beforeEach(async () => {
    database = join(tempFolder(), 'deep', 'recipes.db');
    client = await connect(['--database', database, '--samples']);
  });

  it('offers its five tools with schemas', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_recipes',
      'get_recipe',
      'create_recipe',
      'update_recipe',
      'delete_recipe',
    ]);
    for (const { inputSchema } of tools)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tools.find(({ name }) => name === 'get_recipe')?.inputSchema.required).toEqual(['recipe_id']);
    expect(tools.find(({ name }) => name === 'create_recipe')?.inputSchema.required).toEqual(['title']);
  });

  it('lists the recipes [kitchen.mcp.list-recipes]', async () => {
    const listed = await call('list_recipes', {});
    expect(listed).toMatchObject({ total: 6 });
    expect(listed['recipes']).toContainEqual(
      expect.objectContaining({ id: expect.any(String), title: 'Apple Crumble' }),
    );
  });

  it('returns one whole recipe by its id [kitchen.mcp.get-recipe]', async () => {
    const [first] = (await call('list_recipes', {}))['recipes'] as { id: string; title: string }[];
    const recipe = await call('get_recipe', { recipe_id: first?.id });
    expect(recipe).toMatchObject({ id: first?.id, title: first?.title });
    expect(recipe['ingredients']).toContainEqual(
      expect.objectContaining({ position: 1, name: 'tart apples', quantity: 1, unit: 'kg' }),
    );
    expect(recipe['steps']).toContainEqual(expect.objectContaining({ temperature_celsius: 190 }));
  });

  it('creates a recipe and returns it with its id [kitchen.mcp.create-recipe]', async () => {
    const created = await call('create_recipe', {
      title: 'Waffles',
      description: 'Crisp.',
      ingredients: [{ position: 1, name: 'flour', quantity: 200, unit: 'g', notes: '' }],
    });
    expect(await call('get_recipe', { recipe_id: created['id'] })).toEqual(created);
    // Other processes that share the file see it too.
    const recipes = await openRecipes({ file: database });
    onTestFinished(() => recipes.close());
    expect(await recipes.findByTitle('waffles')).toEqual(created);
  });

  it('changes a recipe and deletes it [kitchen.mcp.update-and-delete]', async () => {
    const { id } = await call('create_recipe', { title: 'Waffles' });
    expect(await call('update_recipe', { recipe_id: id, servings: 8 })).toMatchObject({
      title: 'Waffles',
      servings: 8,
    });
    expect(await call('delete_recipe', { recipe_id: id })).toEqual({ deleted: { id, title: 'Waffles' } });
    expect(await refusal('get_recipe', { recipe_id: id })).toContain('There is no recipe with the id');
  });

  it('says what is wrong with a call, and continues', async () => {
    expect(await refusal('get_recipe', { recipe_id: 'soup' })).toContain('“soup” is not a recipe id');
    expect(await refusal('get_recipe', {})).toContain('recipe_id');
    expect(await refusal('create_recipe', { title: 'apple CRUMBLE' })).toContain('There is already a recipe');
    expect(await refusal('create_recipe', { title: 'X', servings: 0, color: 'red' })).toMatch(
      /servings.*color/,
    );
    expect(await refusal('fly', {})).toBe('There is no tool named fly.');
    expect(await call('list_recipes', {})).toMatchObject({ total: 6 });
  });

  async function connect(args: readonly string[]): Promise<Client> {
    const fresh = new Client({ name: 'a-test', version: '1.0.0' });
    onTestFinished(() => fresh.close());
    await fresh.connect(new StdioClientTransport({ command: process.execPath, args: [program, ...args] }));
    return fresh;
  }

  async function call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
    expect(result.isError).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    return result.structuredContent ?? {};
  }

  async function refusal(name: string, input: Record<string, unknown>): Promise<string> {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
    expect(result.isError).toBe(true);
    return textOf(result);
  }
});

describe('the command parley-recipe-vault', () => {
  it('says what is missing and exits', async () => {
    expect(await failure([])).toContain('The database is missing: --database <file>');
    expect(await failure(['--databse', 'x'])).toMatch(/'--databse'.*\. See --help\.$/m);
    expect(await failure(['--database', join(program, 'recipes.db')])).toContain('cannot be used');
  });

  it.each(['-h', '--help'])('explains itself with %s', async (flag) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, flag]);
    expect(stdout).toContain('Usage: parley-recipe-vault --database <file>');
  });

  it('exits when its stdin is closed', async () => {
    const child = execFile(process.execPath, [program, '--database', join(tempFolder(), 'recipes.db')]);
    child.stdin?.end();
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
  });

  async function failure(args: readonly string[]): Promise<string> {
    const thrown = await promisify(execFile)(process.execPath, [program, ...args]).catch(
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect(thrown).toMatchObject({ code: 1 });
    return thrown.stderr;
  }
});

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
