// Reads the configuration: parley.config.json, then the environment, then flags; later ones win. Reports all problems at
// once. If there are any, `config` has defaults in place of the wrong values: good enough for the doctor, not for serving.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { demoFolder, demoPeople, demoProjectsRoot, demoVaultRoot } from '../demo/layout.ts';
import { botsOf } from './bots.ts';
import { type Environment, readEnvironment } from './environment.ts';
import {
  absolutePath,
  environmentLayer,
  type Flags,
  type Folders,
  fileLayer,
  findConfigFile,
  flagLayer,
  type Layer,
  mergeLayers,
} from './layers.ts';
import { nearest } from './nearest.ts';
import { type Origin, type Problem, problemsOf } from './problem.ts';
import { rules } from './rules.ts';
import { type Config, Settings } from './schema.ts';
import { type Setting, settingsOf } from './setting.ts';
import { withoutValue } from './tree.ts';

export interface Sources {
  readonly environment: Environment;
  /** By name; `config` is the path of the file. */
  readonly flags: Flags;
  readonly folders: Folders;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly problems: readonly Problem[];
  /** Remarks about things that don't prevent a start. */
  readonly hints: readonly string[];
  /** The configuration file, if there is one. */
  readonly file?: string;
}

export const allSettings = settingsOf(Settings);

/** Loads the configuration of this process. */
export function loadProcessConfig(flags: Flags): LoadedConfig {
  const folders = { current: process.cwd(), user: homedir() };
  return loadConfig({ environment: readEnvironment(), flags, folders });
}

export function loadConfig({ environment, flags, folders }: Sources): LoadedConfig {
  const fromEnvironment = environmentLayer(environment, allSettings, folders);
  const fromFlags = flagLayer(flags, allSettings, folders);
  const home = absolutePath(flags['home'] || environment['PARLEY_HOME']?.trim() || '~/.parley', folders);
  const fromFile = fileLayer(findConfigFile(flags['config'], home, folders), allSettings, {
    required: flags['config'] !== undefined,
    user: folders.user,
  });
  const merged = mergeLayers([fromFile, fromEnvironment, fromFlags], allSettings);
  const fileOrigin: Origin = { from: 'file', name: fromFile.file ?? '' };

  const { settings, problems, wrong } = parse(merged, fileOrigin);
  const given = new Map([...merged.origins].filter(([key]) => !wrong.has(key)));
  const { config, origins } = effective(settings, given, folders);
  const broken = rules.flatMap((rule): Problem[] => {
    const fault = rule.reads.some((key) => wrong.has(key)) ? undefined : rule.check(config);
    const [key] = rule.reads;
    return fault ? [{ key, origin: origins.get(key) ?? { from: 'default' }, ...fault }] : [];
  });
  return {
    config,
    origins,
    problems: [...fromFile.problems, ...problems, ...broken],
    hints: misspelled(environment),
    ...(fromFile.file === undefined ? {} : { file: fromFile.file }),
  };
}

/** Parses the given settings; wrong ones are reported and left out. */
function parse(given: Layer, fileOrigin: Origin) {
  const first = Settings.safeParse(given.tree);
  if (first.success) return { settings: first.data, problems: [], wrong: new Set<string>() };

  const wrong = new Set<string>();
  let rest = given.tree;
  const problems = first.error.issues.flatMap((issue) => {
    const setting = settingAt(issue.path);
    if (setting) {
      wrong.add(setting.key);
      rest = withoutValue(rest, setting.path);
    } else if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) rest = withoutValue(rest, [...issue.path.map(String), key]);
    } else {
      rest = withoutValue(rest, issue.path.map(String));
    }
    const origin = (setting && given.origins.get(setting.key)) ?? fileOrigin;
    return problemsOf(issue, { schema: Settings, tree: given.tree, setting, origin });
  });
  return { settings: Settings.parse(rest), problems, wrong };
}

function settingAt(path: readonly PropertyKey[]): Setting | undefined {
  return allSettings.find((setting) => setting.path.every((step, index) => path[index] === step));
}

/** The settings that demo mode decides if they are not given. */
const setByDemo: ReadonlySet<string> = new Set(['people', 'vaultRoot', 'workRoots', 'claude.permissionMode']);

/** Adds what follows from other settings: demo mode, its people and folders, absolute paths. */
function effective(settings: Settings, given: ReadonlyMap<string, Origin>, folders: Folders) {
  const demo = settings.demo ?? settings.anthropic.apiKey === undefined;
  const home = absolutePath(settings.home, folders);
  const origins = new Map(given);
  for (const { key } of allSettings) {
    if (!origins.has(key)) origins.set(key, { from: 'default' });
    if (demo && setByDemo.has(key) && !given.has(key)) origins.set(key, { from: 'demo' });
  }
  const config: Config = {
    ...settings,
    home,
    demo,
    people: settings.people ?? (demo ? demoPeople : ['me']),
    vaultRoot: settings.vaultRoot ?? (demo ? demoVaultRoot(home) : join(folders.user, 'notes')),
    ...workplaces(settings, demo ? [demoProjectsRoot(home)] : [], home),
    // The program's mode `auto` needs a service that the demo doesn't have.
    claude: {
      ...settings.claude,
      permissionMode: settings.claude.permissionMode ?? (demo ? 'default' : undefined),
    },
    dataDir: demo ? demoFolder(home) : home,
  };
  return { config, origins };
}

/** Claude Code may also work in the workspace of each enabled bot. */
function workplaces(settings: Settings, usual: readonly string[], home: string) {
  const roots = settings.workRoots ?? usual;
  const workspace = settings.workspace ?? roots[0] ?? join(home, 'workspace');
  const ofBots = botsOf({ ...settings, workspace }).flatMap((bot) => (bot.isEnabled ? bot.workspace : []));
  return { workspace, workRoots: [...new Set([...roots, ...ofBots])] };
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
