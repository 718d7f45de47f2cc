// The settings of the app as a private file in Parley's home.
import { chmodSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../basics/atomic-file.ts';
import { makePrivateFolder } from './files.ts';
import type { Problem } from './problem.ts';
import { nothingStored, type SettingsStore, StoredSettings } from './stored.ts';

export interface ReadSettings {
  readonly stored: StoredSettings;
  /** Why the file is not used, if it isn't. */
  readonly problem?: Problem;
}

/** Never throws: a file that can't be used is a problem, and Parley works without it. */
export function readSettingsFile(file: string): ReadSettings {
  try {
    const text = readFileSync(file, 'utf8');
    // Restored from a backup, it may be readable for everybody.
    chmodSync(file, 0o600);
    return { stored: StoredSettings.parse(JSON.parse(text)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { stored: nothingStored };
    // The cause is left out because a syntax error quotes the file.
    const message = code === undefined ? 'the file is damaged' : `can't be read (${code})`;
    const hint = `Settings from the app are not used. Restore ${file} from a backup, or delete it.`;
    return {
      stored: nothingStored,
      problem: { key: '', origin: { from: 'app', name: file }, message, hint },
    };
  }
}

export function settingsInFile(file: string): SettingsStore {
  return {
    async write(settings) {
      await makePrivateFolder(dirname(file));
      // Somebody may want to look at it.
      if (readSettingsFile(file).problem) await rename(file, `${file}.unreadable`);
      await replaceFile(file, `${JSON.stringify(settings, undefined, 2)}\n`);
    },
  };
}
