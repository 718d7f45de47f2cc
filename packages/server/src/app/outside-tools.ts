// Builds the tools that run outside of the server: the MCP servers, including the recipe vault, and the tool that shows
// the vault's recipes.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Recipes, seedRecipes } from '@parley/recipe-vault';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import type { Assistant } from '../domain/assistant.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { ToolSource } from '../domain/tool.ts';
import type { ToolHealth } from '../domain/tool-health.ts';
import { createArtifactTools } from '../tools/artifacts/source.ts';
import type { McpServerSettings } from '../tools/mcp/settings.ts';
import { createMcpTools } from '../tools/mcp/source.ts';
import { version } from '../version.ts';

export interface OutsideToolsOptions {
  readonly config: Pick<Config, 'demo' | 'mcpServers'>;
  /** The collection that the vault's process shares with the server, and its file. */
  readonly recipes: Recipes;
  readonly recipesFile: string;
  readonly assistants: readonly Pick<Assistant, 'tools'>[];
  /** Sources whose tool names are reserved. */
  readonly ownSources: readonly ToolSource[];
  readonly environment: Environment;
  readonly logger: Logger;
}

export interface OutsideTools {
  /** `artifacts`, and one for each MCP server. */
  readonly sources: readonly ToolSource[];
  readonly health: ToolHealth;
  close(): Promise<void>;
}

export async function openOutsideTools(options: OutsideToolsOptions): Promise<OutsideTools> {
  const { config, recipes, assistants, environment, logger } = options;
  if (config.demo) await seedRecipes(recipes);
  const artifacts = createArtifactTools({ recipes });
  const own = await Promise.all([...options.ownSources, artifacts].map((source) => source.tools()));
  const mcp = createMcpTools({
    servers: serversOf(config.mcpServers, options.recipesFile),
    usedTogether: assistants.map(({ tools }) => tools),
    reservedNames: own.flat().map(({ name }) => name),
    environment,
    version,
    clock: systemClock,
    logger,
  });
  return {
    sources: [artifacts, ...mcp.sources],
    health: mcp,
    close: () => mcp.close(),
  };
}

function serversOf(configured: Config['mcpServers'], database: string): readonly McpServerSettings[] {
  const entries = Object.entries(configured);
  const own = entries.some(([name]) => name === 'recipes') ? [] : [recipeVault(database)];
  return [...own, ...configuredServers(configured)];
}

/** The servers in the configuration that are not disabled. */
export function configuredServers(configured: Config['mcpServers']): readonly McpServerSettings[] {
  return Object.entries(configured).flatMap(([name, entry]) => toSettings(name, entry));
}

/** The vault is a separate program, as it is for Claude Desktop and `claude`. */
function recipeVault(database: string): McpServerSettings {
  const manifest = createRequire(import.meta.url).resolve('@parley/recipe-vault/package.json');
  const program = join(dirname(manifest), 'dist', 'main.js');
  return {
    name: 'recipes',
    connection: {
      kind: 'stdio',
      command: process.execPath,
      args: [program, '--database', database],
      env: {},
    },
  };
}

function toSettings(name: string, entry: Config['mcpServers'][string]): readonly McpServerSettings[] {
  const { command, args, env, cwd, url, headers, timeoutMs, disabled } = entry;
  if (disabled) return [];
  if (command !== undefined)
    return [{ name, timeoutMs, connection: { kind: 'stdio', command, args, env: revealed(env), cwd } }];
  if (url !== undefined)
    return [{ name, timeoutMs, connection: { kind: 'http', url, headers: revealed(headers) } }];
  return [];
}

function revealed(secrets: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
}
