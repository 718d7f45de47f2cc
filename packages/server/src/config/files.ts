// The files that Parley keeps in its data folder.
import { join } from 'node:path';
import type { Config } from './schema.ts';

export function databaseFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'parley.db');
}

export function credentialsFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'credentials.json');
}

/** Which session each chat of Telegram and Discord is in. */
export function sessionMapFile(config: Pick<Config, 'dataDir' | 'sessionStorePath'>): string {
  return config.sessionStorePath ?? join(config.dataDir, 'sessions.json');
}

export function transcriptLogFile({
  dataDir,
  transcriptLog,
}: Pick<Config, 'dataDir' | 'transcriptLog'>): string {
  return transcriptLog.path ?? join(dataDir, 'transcript.jsonl');
}

/** Shared with the recipe vault, which may run as a program of its own. */
export function recipesFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'recipes.db');
}
