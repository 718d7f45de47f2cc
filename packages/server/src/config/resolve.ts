// Turns the layers of the configuration into effective settings and a list of problems. What comes from the file, the
// environment and flags is read once; what comes from the app can change while the server runs.
import { appLayer, type StoredUnit, storedUnits } from './app-layer.ts';
import { effective } from './effective.ts';
import { type Folders, type Layer, mergeLayers } from './layers.ts';
import { type Origin, type Problem, problemsOf } from './problem.ts';
import { rules } from './rules.ts';
import { allSettings, type Config, Settings } from './schema.ts';
import type { Setting } from './setting.ts';
import { nothingStored, type SettingsFile, type StoredSettings } from './settings-file.ts';
import { withoutValue } from './tree.ts';

/** What is given outside of the app. */
export interface Given {
  /** Later ones win. */
  readonly layers: readonly Layer[];
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  /** Problems with the file as a whole. */
  readonly problems: readonly Problem[];
  readonly hints: readonly string[];
  readonly folders: Folders;
}

export interface LoadedConfig {
  readonly config: Config;
  /** By the key of a setting, or of an entry such as `mcpServers.files`. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly problems: readonly Problem[];
  /** Settings of the app that are not used, and why. They never keep Parley from starting. */
  readonly ignored: readonly Problem[];
  /** What somebody should look at, although Parley starts. */
  readonly hints: readonly string[];
  /** The configuration file, if there is one. */
  readonly file?: string;
  /** What it was made from. */
  readonly given: Given;
  readonly stored: StoredSettings;
}

export function resolve(given: Given, app: SettingsFile = noApp): LoadedConfig {
  const origin: Origin = { from: 'app', name: app.file };
  const alone = settle(given, undefined);
  const { units, problems } = storedUnits(app.stored, origin);
  const fitting = withoutConflicts(units, alone, (kept) =>
    settle(given, kept.length > 0 ? appLayer(kept, origin, given.folders.user) : undefined),
  );
  const { config, origins } = fitting.settled;
  return {
    config,
    origins,
    problems: fitting.settled.problems.map(({ problem }) => problem),
    ignored: [...(app.problem ? [app.problem] : []), ...problems, ...fitting.ignored],
    hints: given.hints,
    ...(given.file === undefined ? {} : { file: given.file }),
    given,
    stored: app.stored,
  };
}

/** What decides whether this is the demo, and so where its data is. */
const startKeys: readonly string[] = ['demo', 'anthropic.apiKey'];

/** Ignores settings of the app that would begin or end the demo: the data folder can't change while a server runs. */
export function resolveIn(demo: boolean, given: Given, app: SettingsFile): LoadedConfig {
  const loaded = resolve(given, app);
  if (loaded.config.demo === demo) return loaded;
  const others = Object.entries(app.stored.settings).filter(([key]) => !startKeys.includes(key));
  const settings = Object.fromEntries(others);
  return { ...resolve(given, { ...app, stored: { ...app.stored, settings } }), stored: app.stored };
}

const noApp: SettingsFile = { file: '', stored: nothingStored };

/** A problem, and the settings that it may come from. */
interface Fault {
  readonly problem: Problem;
  readonly reads: readonly string[];
}

interface Settled {
  readonly config: Config;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly problems: readonly Fault[];
}

/** Leaves out settings of the app that conflict with others, for example after the file was changed. */
function withoutConflicts(
  units: readonly StoredUnit[],
  alone: Settled,
  withUnits: (units: readonly StoredUnit[]) => Settled,
): { readonly settled: Settled; readonly ignored: readonly Problem[] } {
  const ignored: Problem[] = [];
  let kept = units;
  for (;;) {
    const settled = kept.length === 0 ? alone : withUnits(kept);
    const fault = settled.problems.find((one) => !hasFault(alone, one));
    if (!fault) return { settled, ignored };
    const suspects = kept.filter(({ setting }) => fault.reads.includes(setting.key));
    const culprit = suspects.findLast((suspect) => {
      const others = kept.filter((unit) => unit !== suspect);
      return !hasFault(withUnits(others), fault);
    });
    const removed = culprit ? [culprit] : suspects.length > 0 ? suspects : kept;
    kept = kept.filter((unit) => !removed.includes(unit));
    ignored.push(...removed.map(({ key }) => ({ ...fault.problem, key })));
  }
}

function hasFault({ problems }: Settled, { problem }: Fault): boolean {
  return problems.some(({ problem: { key, message } }) => key === problem.key && message === problem.message);
}

function settle(given: Given, app: Layer | undefined): Settled {
  const merged = mergeLayers(app ? [app, ...given.layers] : given.layers, allSettings);
  const { settings, problems, wrong } = parse(merged, { from: 'file', name: given.file ?? '' });
  const known = new Map([...merged.origins].filter(([key]) => !wrong.has(key)));
  const { config: derived, origins } = effective(settings, known, given.folders);
  const config = { ...derived, ...(given.file !== undefined && { file: given.file }) };
  const broken = rules.flatMap((rule): Fault[] => {
    const { reads } = rule;
    const fault = reads.some((key) => wrong.has(key)) ? undefined : rule.check(config);
    const [key] = reads;
    return fault
      ? [{ problem: { key, origin: origins.get(key) ?? { from: 'default' }, ...fault }, reads }]
      : [];
  });
  const ofFile = given.problems.map((problem) => ({ problem, reads: [] }));
  return { config, origins, problems: [...ofFile, ...problems, ...broken] };
}

/** Parses the given settings; wrong ones are reported and left out. */
function parse(given: Layer, fileOrigin: Origin) {
  const first = Settings.safeParse(given.tree);
  if (first.success) return { settings: first.data, problems: [], wrong: new Set<string>() };

  const wrong = new Set<string>();
  let rest = given.tree;
  const problems = first.error.issues.flatMap((issue): readonly Fault[] => {
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
    const found = problemsOf(issue, { schema: Settings, tree: given.tree, setting, origin });
    return found.map((problem) => ({ problem, reads: setting ? [setting.key] : [] }));
  });
  return { settings: Settings.parse(rest), problems, wrong };
}

function settingAt(path: readonly PropertyKey[]): Setting | undefined {
  return allSettings.find((setting) => setting.path.every((step, index) => path[index] === step));
}
