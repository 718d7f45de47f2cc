// Leaving the demo: what the next start uses is stored in Parley's home, next to the demo's folder. The passphrase stays the
// same, so that somebody who only knows the demo's can log in.
import { ParleyError } from '@parley/protocol';
import { SettingsRefused } from '../domain/app-settings.ts';
import { carryCredentials } from './credentials.ts';
import { settingsFile } from './files.ts';
import { originText } from './problem.ts';
import { type LoadedConfig, resolve } from './resolve.ts';
import { readSettingsFile, type StoredSettings, writeSettingsFile } from './settings-file.ts';

/** Without a key, Claude Code uses the login of the `claude` program. Rejects, and changes nothing, if the demo would go on. */
export async function leaveDemo(loaded: LoadedConfig, apiKey: string | undefined): Promise<void> {
  const { config, given } = loaded;
  const real = { dataDir: config.home };
  const file = settingsFile(real);
  const stored = withStart(readSettingsFile(file).stored, apiKey);
  const next = resolve(given, { file, stored });
  if (next.config.demo) {
    const fixed = given.layers.findLast(({ origins }) => origins.has('demo'))?.origins.get('demo');
    const place = fixed ? originText(fixed) : file;
    throw new ParleyError('conflict', `Demo mode is set by ${place}. Change it there.`);
  }
  // Each server has its own settings until it knows the database.
  if (config.database.url)
    throw new ParleyError('conflict', 'Set ANTHROPIC_API_KEY for each server, and start them again.');
  const problems = [...next.problems, ...next.ignored];
  if (problems.length > 0)
    throw new SettingsRefused(problems.map(({ key, message, hint }) => ({ key, message, hint })));
  await carryCredentials(config, real);
  await writeSettingsFile(file, stored);
}

function withStart(stored: StoredSettings, apiKey: string | undefined): StoredSettings {
  const revision = stored.revision + 1;
  const start =
    apiKey === undefined
      ? { demo: { value: false, revision } }
      : { 'anthropic.apiKey': { value: apiKey, revision } };
  return { ...stored, revision, settings: { ...stored.settings, ...start } };
}
