// Leaves the demo: stores what the next start needs in Parley's home, outside of the demo's folder. The demo's
// passphrase keeps working, so that people who know only that one can log in.
import { ParleyError } from '@parley/protocol';
import { SettingsRefused } from '../domain/app-settings.ts';
import { carryCredentials } from './credentials.ts';
import { settingsFile } from './files.ts';
import { originText } from './problem.ts';
import { type LoadedConfig, resolve } from './resolve.ts';
import { readSettingsFile, type StoredSettings, writeSettingsFile } from './settings-file.ts';

/** Without a key, Claude Code uses the login of `claude`. Rejects, and changes nothing, if the demo would stay. */
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
  // Demo mode is decided before the database opens, so each server needs the key itself.
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
