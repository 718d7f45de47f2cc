// Builds the tools that run outside of the server: the MCP servers, including the recipe vault, and the tool that shows
// the vault's recipes.
import { join } from 'node:path';
import { type Recipes, seedRecipes } from '@parley/recipe-vault';
import type { Outgoing } from '../basics/outgoing.ts';
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
  readonly config: Pick<Config, 'demo' | 'mcpServers' | 'dataDir'>;
  readonly recipes: Recipes;
  /** Shared with the vault's process. If servers share their recipes, there is no file, and the vault runs in this process. */
  readonly recipesFile: string | undefined;
  /** The recipe vault as a program. */
  readonly recipeVault: string;
  readonly assistants: readonly Pick<Assistant, 'tools'>[];
  /** Sources whose tool names are reserved. */
  readonly ownSources: readonly ToolSource[];
  readonly environment: Environment;
  readonly outgoing: Outgoing;
  readonly logger: Logger;
}

export interface OutsideTools {
  /** `artifacts`, and one for each MCP server. Changes with the settings. */
  readonly sources: readonly ToolSource[];
  /** Restarts only the servers whose settings changed. */
  apply(config: Pick<Config, 'mcpServers' | 'dataDir'>, assistants: OutsideToolsOptions['assistants']): void;
  readonly health: ToolHealth;
  close(): Promise<void>;
}

export async function openOutsideTools(options: OutsideToolsOptions): Promise<OutsideTools> {
  const { config, recipes, assistants, environment, outgoing, logger } = options;
  if (config.demo) await seedRecipes(recipes);
  const artifacts = createArtifactTools({ recipes });
  const own = await Promise.all([...options.ownSources, artifacts].map((source) => source.tools()));
  const vault = recipeVault(options);
  const mcp = createMcpTools({
    servers: serversOf(config, vault),
    usedTogether: assistants.map(({ tools }) => tools),
    reservedNames: own.flat().map(({ name }) => name),
    environment,
    outgoing,
    version,
    clock: systemClock,
    logger,
  });
  return {
    get sources() {
      return [artifacts, ...mcp.sources];
    },
    apply: (current, users) =>
      mcp.apply({
        servers: serversOf(current, vault),
        usedTogether: users.map(({ tools }) => tools),
      }),
    health: mcp,
    close: () => mcp.close(),
  };
}

function serversOf(
  config: Pick<Config, 'mcpServers' | 'dataDir'>,
  vault: McpServerSettings,
): readonly McpServerSettings[] {
  const own = config.mcpServers['recipes'] === undefined ? [vault] : [];
  return [...own, ...configuredServers(config)];
}

/** The servers in the configuration that are not disabled. */
export function configuredServers({
  mcpServers,
  dataDir,
}: Pick<Config, 'mcpServers' | 'dataDir'>): readonly McpServerSettings[] {
  return Object.entries(mcpServers).flatMap(([name, entry]) => toSettings(name, entry, dataDir));
}

/** A folder for each program, so that files it writes there don't end up among Parley's. */
function folderOf(name: string, dataDir: string): string {
  return join(dataDir, 'mcp', name);
}

function recipeVault(options: OutsideToolsOptions): McpServerSettings {
  const { recipes, recipesFile, recipeVault: program, config, logger } = options;
  const connection =
    recipesFile === undefined
      ? vaultInProcess(recipes, logger)
      : vaultProgram(program, recipesFile, config.dataDir);
  return { name: 'recipes', trusted: true, connection };
}

/** Runs in this process, on the server's connections, so that no program gets the password of the database. */
function vaultInProcess(recipes: Recipes, logger: Logger): McpServerSettings['connection'] {
  return {
    kind: 'in-process',
    async serve(transport) {
      const { createRecipeServer } = await import('@parley/recipe-vault/server');
      const onDefect = (error: unknown) => logger.error({ err: error }, 'the recipe vault failed');
      await createRecipeServer({ recipes, onDefect }).connect(transport);
    },
  };
}

/** Runs as a separate program, as it does for Claude Desktop and `claude`. */
function vaultProgram(program: string, database: string, dataDir: string): McpServerSettings['connection'] {
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [program, '--database', database],
    env: {},
    ownFolder: folderOf('recipes', dataDir),
  };
}

function toSettings(
  name: string,
  entry: Config['mcpServers'][string],
  dataDir: string,
): readonly McpServerSettings[] {
  const { command, args, cwd, url, headers, trusted, timeoutMs, disabled } = entry;
  if (disabled) return [];
  const common = { name, trusted, timeoutMs };
  if (command !== undefined) {
    const env = revealed(entry.env);
    const ownFolder = folderOf(name, dataDir);
    return [{ ...common, connection: { kind: 'stdio', command, args, env, cwd, ownFolder } }];
  }
  if (url !== undefined)
    return [{ ...common, connection: { kind: 'http', url, headers: revealed(headers) } }];
  return [];
}

function revealed(secrets: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
}
