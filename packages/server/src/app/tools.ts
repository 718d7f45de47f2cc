// Builds the assistants and the tool sources that they use. Both change with the settings while the server runs.
import { join } from 'node:path';
import type { Recipes } from '@parley/recipe-vault';
import { assistantsOf } from '../assistants/assistants.ts';
import type { Outgoing } from '../basics/outgoing.ts';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import type { RunningDemo } from '../demo/demo.ts';
import type { Assistant } from '../domain/assistant.ts';
import type { Logger } from '../domain/logger.ts';
import type { SealedStore } from '../domain/sealed.ts';
import type { ToolSource } from '../domain/tool.ts';
import type { ToolHealth } from '../domain/tool-health.ts';
import type { LinkedIn } from '../tools/linkedin/source.ts';
import { createVaultTools } from '../tools/vault/source.ts';
import { openOutsideTools } from './outside-tools.ts';
import { openLinkedIn, openWeb } from './web-tools.ts';

export interface ToolsSetup {
  readonly config: Config;
  readonly demo: RunningDemo | undefined;
  readonly recipes: Recipes;
  /** Undefined if servers share their recipes. */
  readonly recipesFile: string | undefined;
  readonly recipeVault: string;
  /** Where servers that share a database keep LinkedIn logins. */
  readonly sealed: SealedStore | undefined;
  readonly environment: Environment;
  readonly outgoing: Outgoing;
  readonly logger: Logger;
}

export interface Tools {
  /** By name, like the sources. */
  readonly assistants: ReadonlyMap<string, Assistant>;
  readonly sources: ReadonlyMap<string, ToolSource>;
  readonly linkedIn: LinkedIn;
  readonly health: ToolHealth;
  apply(config: Config): void;
  close(): Promise<void>;
}

export async function openTools(setup: ToolsSetup): Promise<Tools> {
  const { config } = setup;
  const vault = createVaultTools({ root: (person) => join(config.vaultRoot, person) });
  const web = openWeb(setup);
  const linkedIn = openLinkedIn(setup);
  const ownSources = [vault, web, linkedIn];
  let assistants = assistantsOf(config.assistants);
  const outside = await openOutsideTools({
    ...setup,
    assistants: [...assistants.values()],
    ownSources,
  });
  const sources = () => [...ownSources, ...outside.sources];

  return {
    get assistants() {
      return assistants;
    },
    get sources() {
      return new Map(sources().map((source) => [source.name, source]));
    },
    linkedIn,
    health: outside.health,
    apply(changed) {
      assistants = assistantsOf(changed.assistants);
      outside.apply(changed, [...assistants.values()]);
      web.apply(changed);
      linkedIn.apply(changed);
    },
    async close() {
      await outside.close();
      for (const source of ownSources) await source.close();
    },
  };
}
