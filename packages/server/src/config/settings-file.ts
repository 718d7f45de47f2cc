// The settings that people change in the app: a private file in Parley's home. Each setting is stored with the number of
// its last change, so that two people who edit the same one notice each other.
import { chmodSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../basics/atomic-file.ts';
import { makePrivateFolder } from './files.ts';
import type { Problem } from './problem.ts';

export const StoredSettings = z.object({
  version: z.literal(1),
  /** Counts the changes. */
  revision: z.int().min(0),
  /** By key, such as `log.level` or `mcpServers.files`, in the order in which they were added. */
  settings: z.record(z.string(), z.object({ value: z.json(), revision: z.int().min(1) })),
});
export type StoredSettings = z.infer<typeof StoredSettings>;

export interface SettingsFile {
  readonly file: string;
  readonly stored: StoredSettings;
  /** Why the file is not used, if it isn't. */
  readonly problem?: Problem;
}

export const nothingStored: StoredSettings = { version: 1, revision: 0, settings: {} };

/** Never throws: a file that can't be used is a problem, and Parley works without it. */
export function readSettingsFile(file: string): SettingsFile {
  try {
    const text = readFileSync(file, 'utf8');
    // After a restore, everybody may be able to read it.
    chmodSync(file, 0o600);
    return { file, stored: StoredSettings.parse(JSON.parse(text)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { file, stored: nothingStored };
    // The cause is left out because a syntax error quotes the file.
    const message = code === undefined ? 'the file is damaged' : `can't be read (${code})`;
    const hint = `Settings from the app are not used. Restore ${file} from a backup, or delete it.`;
    const problem = { key: '', origin: { from: 'app', name: file } as const, message, hint };
    return { file, stored: nothingStored, problem };
  }
}

/** Resolves when the settings survive a power cut. When it rejects, the old ones are untouched. */
export async function writeSettingsFile(file: string, settings: StoredSettings): Promise<void> {
  await makePrivateFolder(dirname(file));
  // Keeps a damaged file: somebody may want to look at it.
  if (readSettingsFile(file).problem) await rename(file, `${file}.unreadable`);
  await replaceFile(file, `${JSON.stringify(settings, undefined, 2)}\n`);
}
