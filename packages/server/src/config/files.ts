// The files that Parley keeps in its data folder.
import { join } from 'node:path';
import type { Config } from './schema.ts';

export function databaseFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'parley.db');
}

export function credentialsFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'credentials.json');
}

/** Shared with the recipe vault, which may run as a program of its own. */
export function recipesFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'recipes.db');
}
