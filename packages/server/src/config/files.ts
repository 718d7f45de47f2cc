// The files in Parley's data folder, and the folder itself.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './schema.ts';

export function databaseFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'parley.db');
}

/** The full-text index of this machine's transcripts. */
export function transcriptTextFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'transcript-words.db');
}

export function credentialsFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'credentials.json');
}

/** What people have set in the app. */
export function settingsFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'settings.json');
}

/** Where the command line reaches the running server. */
export function controlSocket({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'control.sock');
}

/** Which unpacked backup replaces the data. It exists only while a restore moves files. */
export function restorePlanFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'restore-plan.json');
}

/** The name of this machine among several servers. */
export function machineFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'machine');
}

/** In the notes: each server leaves its name here, so that others can see whether they share them. */
export function serversFolder({ vaultRoot }: Pick<Config, 'vaultRoot'>): string {
  return join(vaultRoot, '.parley-servers');
}

/** The LinkedIn logins of a single server, encrypted, and the key for them. */
export function linkedInFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'linkedin');
}

/** The folders whose configuration Claude Code may use. */
export function trustedFoldersFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'trusted-folders.json');
}

/** Which session each Telegram and Discord chat is in. */
export function sessionMapFile(config: Pick<Config, 'dataDir' | 'sessionStorePath'>): string {
  return config.sessionStorePath ?? join(config.dataDir, 'sessions.json');
}

export function transcriptLogFile({
  dataDir,
  transcriptLog,
}: Pick<Config, 'dataDir' | 'transcriptLog'>): string {
  return transcriptLog.path ?? join(dataDir, 'transcript.jsonl');
}

/** Shared with the recipe vault, which can also run as a separate program. */
export function recipesFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'recipes.db');
}

/** Snapshots of working directories before each turn, by session. */
export function changesFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'changes');
}

/** What Node has compiled. It can be deleted at any time. */
export function compileCacheFolder(home: string): string {
  return join(home, 'compile-cache');
}

/**
 * Whether an entry of the data folder belongs in a backup. What belongs to the running server, what a restore leaves
 * and what can be rebuilt don't, nor does the demo, which has its own data folder.
 */
export function isData(name: string): boolean {
  return !/^(server\.lock.*|control\.sock|restore-plan\.json|\.restoring-.*|before-restore-.*|compile-cache|demo)$/.test(
    name,
  );
}

/** What people's programs must not see: Parley's own files, and everybody's notes. */
export function ownPaths(config: Config): readonly string[] {
  const { home, dataDir, vaultRoot, file } = config;
  const files = [sessionMapFile(config), transcriptLogFile(config), ...(file === undefined ? [] : [file])];
  return [home, dataDir, vaultRoot, ...files];
}

/**
 * Makes a folder that only its owner may enter, and its parents. Node's `recursive` hangs in a folder that can't
 * contain others, such as /proc.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || (await isFolder(parent))) throw error;
    await makePrivateFolder(parent);
    await mkdir(folder, { mode: 0o700 });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
