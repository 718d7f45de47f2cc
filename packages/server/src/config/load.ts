// Reads the configuration: what people set in the app, then parley.config.json, then the environment, then flags; later
// ones win. Reports all problems at once. If there are any, `config` has defaults in place of the wrong values: good
// enough for the doctor, not for serving.
import { homedir } from 'node:os';
import { type Environment, readEnvironment } from './environment.ts';
import { settingsFile } from './files.ts';
import {
  absolutePath,
  environmentLayer,
  type Flags,
  type Folders,
  fileLayer,
  findConfigFile,
  flagLayer,
  layerOf,
} from './layers.ts';
import { nearest } from './nearest.ts';
import { type Given, type LoadedConfig, resolve, resolveIn } from './resolve.ts';
import { allSettings } from './schema.ts';
import { readSettingsFile } from './settings-file.ts';

export interface Sources {
  readonly environment: Environment;
  /** By name; `config` is the path of the file. */
  readonly flags: Flags;
  readonly folders: Folders;
}

/** Loads the configuration of this process. */
export function loadProcessConfig(flags: Flags): LoadedConfig {
  const folders = { current: process.cwd(), user: homedir() };
  return loadConfig({ environment: readEnvironment(), flags, folders });
}

export function loadConfig(sources: Sources): LoadedConfig {
  return load(readGiven(sources));
}

/** The same configuration with demo mode on or off. */
export function loadInDemo(demo: boolean, loaded: LoadedConfig): LoadedConfig {
  if (loaded.config.demo === demo) return loaded;
  const { given } = loaded;
  const decided = layerOf({ demo }, { from: 'default' }, allSettings, given.folders);
  return load({ ...given, layers: [...given.layers, decided] });
}

function load(given: Given): LoadedConfig {
  const alone = resolve(given).config;
  // The settings in Parley's home can end the demo. The demo's own are in another folder.
  const loaded = resolve(given, readSettingsFile(settingsFile({ dataDir: alone.home })));
  if (!loaded.config.demo) return loaded;
  return resolveIn(true, given, readSettingsFile(settingsFile(loaded.config)));
}

function readGiven({ environment, flags, folders }: Sources): Given {
  const fromEnvironment = environmentLayer(environment, allSettings, folders);
  const fromFlags = flagLayer(flags, allSettings, folders);
  const home = absolutePath(flags['home'] || environment['PARLEY_HOME']?.trim() || '~/.parley', folders);
  const fromFile = fileLayer(findConfigFile(flags['config'], home, folders), allSettings, {
    required: flags['config'] !== undefined,
    user: folders.user,
  });
  const { file, problems } = fromFile;
  return {
    layers: [fromFile, fromEnvironment, fromFlags],
    file,
    problems,
    hints: misspelled(environment),
    folders,
  };
}

/** Variables that look like ours but aren't: probably typos. */
function misspelled(environment: Environment): readonly string[] {
  const prefix = 'PARLEY_';
  const known = allSettings.flatMap(({ env }) => (env?.startsWith(prefix) ? env.slice(prefix.length) : []));
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name.slice(prefix.length)))
    .flatMap((name) => {
      const meant = nearest(name.slice(prefix.length), known);
      return meant ? [`Parley has no variable ${name}. Did you mean ${prefix}${meant}?`] : [];
    });
}
