// What everybody shares: recipes, assistants, and the state of tool servers and bots.
import { AssistantEntry, ChannelOverview, ErrorBody, ParleyError, Recipe } from '@parley/protocol';
import { z } from 'zod';
import type { Access } from '../../../domain/access.ts';
import type { ChannelHealth } from '../../../domain/channel-health.ts';
import type { RecipeShelf } from '../../../domain/recipes.ts';
import type { ToolHealth } from '../../../domain/tool-health.ts';
import type { App } from '../app.ts';
import { longestId } from '../openapi/fields.ts';
import { responses } from '../openapi/responses.ts';
import { actorFor } from '../policy/reach.ts';

export interface HouseholdServices {
  readonly access: Access;
  readonly recipes: RecipeShelf;
  readonly toolHealth: ToolHealth;
  readonly channelHealth: ChannelHealth;
  readonly assistants: () => readonly AssistantEntry[];
  readonly models: () => readonly string[];
}

const Assistants = z.object({
  assistants: z.array(AssistantEntry),
  models: z.array(z.string()).describe('The first one is the default.'),
});

const McpServer = z.object({
  name: z.string(),
  state: z.enum(['idle', 'starting', 'ready', 'failed']),
  tools: z.array(z.string()),
  lastError: z.string().nullable(),
  restarts: z.int(),
  nextTryAt: z.number().nullable().describe('When a failed server is restarted, in milliseconds since 1970.'),
});

export function householdRoutes(
  app: App,
  { access, recipes, toolHealth, channelHealth, assistants, models }: HouseholdServices,
): void {
  app.get('/api/recipes', shared('recipes', 'All recipes, sorted by title', z.array(Recipe)), async () => [
    ...(await recipes.list()),
  ]);

  const recipeRoute = shared('recipes', 'One recipe', Recipe);
  const params = z.object({ id: z.string().max(longestId) });
  app.get(
    '/api/recipes/:id',
    { ...recipeRoute, schema: { ...recipeRoute.schema, params } },
    async (request) => {
      const recipe = await recipes.get(request.params.id);
      if (!recipe) throw new ParleyError('not_found', 'Recipe not found.');
      return recipe;
    },
  );

  app.get(
    '/api/assistants',
    shared('sessions', 'The available assistants and models', Assistants),
    async ({ caller }) => {
      const actor = caller?.person === undefined ? undefined : actorFor(caller.person, caller);
      const isUsable = ({ engine, name }: AssistantEntry) =>
        actor === undefined || access.mayUse(actor, { engine, assistant: name });
      return { assistants: assistants().filter(isUsable), models: [...models()] };
    },
  );

  app.get(
    '/api/mcp',
    shared('operations', 'The state of the MCP servers', z.object({ servers: z.array(McpServer) })),
    async () => ({
      servers: toolHealth.status().map(({ lastError, nextTryAt, tools, ...server }) => ({
        ...server,
        tools: [...tools],
        lastError: lastError ?? null,
        nextTryAt: nextTryAt ?? null,
      })),
    }),
  );

  app.get(
    '/api/channels',
    shared('operations', 'The state of the Telegram and Discord bots', ChannelOverview),
    async ({ caller }) => ({
      channels: [...(caller?.forwarded ? channelHealth.statusHere() : await channelHealth.status())],
    }),
  );
}

/** A route that needs no person, because everybody gets the same answer. */
function shared<Good extends z.ZodType>(tag: string, summary: string, good: Good) {
  return {
    config: { access: 'caller' as const },
    schema: { tags: [tag], summary, response: responses(good, ErrorBody) },
  };
}
