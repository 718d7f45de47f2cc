// The recipe vault as the kitchen assistant uses it: a separate process on a database that it shares with the server.
import { join } from 'node:path';
import { openRecipes, type Recipes } from '@parley/recipe-vault';
import { onTestFinished } from 'vitest';
import { recipeVaultProgram } from '../../../../scripts/bundle.mjs';
import type { ToolSource } from '../../src/domain/tool.ts';
import { createArtifactTools } from '../../src/tools/artifacts/source.ts';
import type { McpToolsOptions } from '../../src/tools/mcp/source.ts';
import { McpHarness, server, tempFolder } from '../tools/mcp/harness.ts';

export interface Kitchen {
  readonly mcp: McpHarness;
  readonly recipes: Recipes;
  /** `recipes` and `artifacts`. */
  readonly sources: ReadonlyMap<string, ToolSource>;
}

export async function openKitchen(options: Partial<McpToolsOptions> = {}): Promise<Kitchen> {
  const program = await recipeVaultProgram();
  const database = join(tempFolder(), 'recipes.db');
  const mcp = new McpHarness(
    [
      server('recipes', {
        kind: 'stdio',
        command: process.execPath,
        args: [program, '--database', database],
        env: {},
      }),
    ],
    options,
  );
  const recipes = await openRecipes({ file: database });
  onTestFinished(() => recipes.close());
  const sources = [...mcp.tools.sources, createArtifactTools({ recipes })];
  return { mcp, recipes, sources: new Map(sources.map((source) => [source.name, source])) };
}
