// Moves what a home keeps in files and several servers keep in PostgreSQL: the settings of the app, and LinkedIn
// logins, which are encrypted again with another key.
import { readdir } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import { linkedInFolder, settingsFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import { readSettingsFile } from '../config/settings-file.ts';
import type { SettingsStore } from '../domain/app-settings.ts';
import type { SealedStore } from '../domain/sealed.ts';
import { Sealed, sealedFiles } from '../tools/linkedin/sealed.ts';

export interface FilesTarget {
  readonly settings: SettingsStore;
  /** Undefined if there is no cluster secret to encrypt with. */
  readonly sealed: SealedStore | undefined;
}

export interface MovedFiles {
  /** People whose LinkedIn logins stay in files: there is no key for them, or they can't be decrypted. */
  readonly leftLogins: readonly string[];
}

/** Can be repeated. Rejects with `conflict` if the database already has something else. */
export async function moveFiles(
  home: Pick<Config, 'dataDir'>,
  { settings, sealed }: FilesTarget,
): Promise<MovedFiles> {
  await moveSettings(settingsFile(home), settings);
  const [from, to] = [new Sealed(sealedFiles(linkedInFolder(home))), sealed && new Sealed(sealed)];
  const leftLogins: string[] = [];
  for (const person of await loginsIn(linkedInFolder(home))) {
    const login = await from.read(person).catch(() => undefined);
    if (!to || login === undefined) {
      leftLogins.push(person);
      continue;
    }
    await to.write(person, login);
    if ((await to.read(person)) !== login) throw isDifferent();
  }
  return { leftLogins };
}

async function moveSettings(file: string, store: SettingsStore): Promise<void> {
  const { stored } = readSettingsFile(file);
  if (stored.revision === 0) return;
  const text = JSON.stringify(stored);
  await store.replace(text, { from: none, to: stored.revision });
  if ((await store.read()) !== text) throw isDifferent();
}

/** Matches no revision, so that settings are only stored if there are none yet. */
const none = -1;
const extension = '.sealed';

async function loginsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
}

function isDifferent(): ParleyError {
  return new ParleyError(
    'conflict',
    'The database has settings or LinkedIn logins that are not from this home. Create an empty database, and move to that one. The home is unchanged.',
  );
}
