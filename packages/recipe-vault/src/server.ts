// The MCP server: the recipe repository as tools. Every failure is a tool error with a message, so that the model can
// correct its call or inform the person.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { invalidInput, RecipeError } from './errors.ts';
import type { Recipes } from './recipes.ts';
import { describeTool, recipeTools } from './tools.ts';
import { version } from './version.ts';

export interface RecipeServerOptions {
  readonly recipes: Recipes;
  /** Called with errors that are bugs of this program. */
  readonly onDefect?: (error: unknown) => void;
}

export function createRecipeServer({ recipes, onDefect }: RecipeServerOptions): McpServer {
  const mcp = new McpServer(
    { name: 'parley-recipe-vault', title: 'Recipe vault', version },
    { capabilities: { tools: {} }, instructions },
  );
  // Set the handlers by hand, because those of McpServer answer invalid input with a dump of zod issues.
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: recipeTools.map(describeTool) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      return toResult(await call(recipes, params.name, params.arguments ?? {}));
    } catch (thrown) {
      if (!(thrown instanceof RecipeError)) onDefect?.(thrown);
      return toError(thrown);
    }
  });
  return mcp;
}

const instructions =
  'The recipe collection of a household. Ids of recipes come from list_recipes and from create_recipe.';

async function call(recipes: Recipes, name: string, input: unknown): Promise<Record<string, unknown>> {
  const tool = recipeTools.find((tool) => tool.name === name);
  if (tool === undefined) throw new RecipeError('not_found', `There is no tool named ${name}.`);
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) throw invalidInput(parsed.error);
  return tool.run(recipes, parsed.data);
}

function toResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}

function toError(thrown: unknown): CallToolResult {
  const text = thrown instanceof RecipeError ? thrown.message : 'The recipe vault failed because of a bug.';
  return { content: [{ type: 'text', text }], isError: true };
}
