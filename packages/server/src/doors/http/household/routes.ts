// What the household shares: recipes, assistants, and the state of tool servers and bots.
import { ChannelOverview, EngineName, ErrorBody, ParleyError, Recipe } from '@parley/protocol';
import { z } from 'zod';
import type { ChannelHealth } from '../../../domain/channel-health.ts';
import type { RecipeShelf } from '../../../domain/recipes.ts';
import type { ToolHealth } from '../../../domain/tool-health.ts';
import type { App } from '../app.ts';
import { answers } from '../openapi/answers.ts';
import { longestId } from '../openapi/fields.ts';

export interface HouseholdServices {
  readonly recipes: RecipeShelf;
  readonly toolHealth: ToolHealth;
  readonly channelHealth: ChannelHealth;
  readonly assistants: readonly AssistantEntry[];
  readonly models: readonly string[];
}

/** An assistant that people can talk to. */
const AssistantEntry = z.object({ name: z.string(), label: z.string(), engine: EngineName });
export type AssistantEntry = z.infer<typeof AssistantEntry>;

const McpServer = z.object({
  name: z.string(),
  state: z.enum(['idle', 'starting', 'ready', 'failed']),
  tools: z.array(z.string()),
  lastError: z.string().nullable(),
  restarts: z.int(),
  nextTryAt: z.number().nullable().describe('When a failed server is restarted, in milliseconds since 1970.'),
});

const access = { access: 'caller' } as const;

export function householdRoutes(
  app: App,
  { recipes, toolHealth, channelHealth, assistants, models }: HouseholdServices,
): void {
  app.get(
    '/api/recipes',
    {
      config: access,
      schema: {
        tags: ['recipes'],
        summary: 'All recipes, sorted by title',
        response: answers(z.array(Recipe), ErrorBody),
      },
    },
    async () => [...(await recipes.list())],
  );

  app.get(
    '/api/recipes/:id',
    {
      config: access,
      schema: {
        tags: ['recipes'],
        summary: 'One recipe',
        params: z.object({ id: z.string().max(longestId) }),
        response: answers(Recipe, ErrorBody),
      },
    },
    async (request) => {
      const recipe = await recipes.get(request.params.id);
      if (!recipe) throw new ParleyError('not_found', 'Recipe not found.');
      return recipe;
    },
  );

  app.get(
    '/api/assistants',
    {
      config: access,
      schema: {
        tags: ['sessions'],
        summary: 'The available assistants and models',
        response: answers(
          z.object({
            assistants: z.array(AssistantEntry),
            models: z.array(z.string()).describe('The first one is the default.'),
          }),
          ErrorBody,
        ),
      },
    },
    async () => ({ assistants: [...assistants], models: [...models] }),
  );

  app.get(
    '/api/mcp',
    {
      config: access,
      schema: {
        tags: ['operations'],
        summary: 'The state of the MCP servers',
        response: answers(z.object({ servers: z.array(McpServer) }), ErrorBody),
      },
    },
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
    {
      config: access,
      schema: {
        tags: ['operations'],
        summary: 'The state of the Telegram and Discord bots',
        response: answers(ChannelOverview, ErrorBody),
      },
    },
    async () => ({ channels: [...channelHealth.status()] }),
  );
}
