// Makes the settings of the app the lowest layer of the configuration. Reports bad ones and leaves them out.
import { isRecord } from '../basics/is-record.ts';
import { type Unit, unitOf } from './editable.ts';
import { type Layer, layerOf } from './layers.ts';
import { type Origin, type Problem, problemsOf } from './problem.ts';
import { allSettings, Settings } from './schema.ts';
import type { StoredSettings } from './settings-file.ts';
import { type Tree, valueAt, withValue } from './tree.ts';

/** A stored value that is valid on its own. */
export interface StoredUnit extends Unit {
  readonly value: unknown;
}

export function storedUnits(
  { settings }: StoredSettings,
  origin: Origin,
): { readonly units: readonly StoredUnit[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const units = Object.entries(settings).flatMap(([key, { value }]) => {
    const unit = unitOf(key);
    if (!unit) {
      problems.push({ key, origin, message: 'this cannot be set in the app', hint: 'Remove it there.' });
      return [];
    }
    const found = unitProblems({ ...unit, value }, origin);
    problems.push(...found);
    return found.length === 0 ? [{ ...unit, value }] : [];
  });
  return { units, problems };
}

/** What is wrong with a value, regardless of the other settings. */
export function unitProblems(unit: StoredUnit, origin: Origin): readonly Problem[] {
  const tree = treeOf([unit]);
  const parsed = Settings.safeParse(tree);
  if (parsed.success) return [];
  const { setting } = unit;
  return parsed.error.issues
    .flatMap((issue) => problemsOf(issue, { schema: Settings, tree, setting, origin }))
    .map((problem) => ({ ...problem, key: problem.key.replace(`${setting.key}[0]`, unit.key) }));
}

/** Parses one value; all other settings have their defaults. Throws if the value is wrong. */
export function parsedAlone(unit: StoredUnit): Settings {
  return Settings.parse(treeOf([unit]));
}

export function appLayer(units: readonly StoredUnit[], origin: Origin, user: string): Layer {
  // Relative paths start at the user's home, because there is no file they could be relative to.
  return layerOf(treeOf(basesFirst(units)), origin, allSettings, { current: user, user });
}

function treeOf(units: readonly StoredUnit[]): Tree {
  return units.reduce<Tree>((tree, { setting: { path, entries }, entry, value }) => {
    if (entry === undefined) return withValue(tree, path, value);
    if (entries.length === 0) return withValue(tree, [...path, entry], value);
    const before = valueAt(tree, path);
    const named = isRecord(value) ? { ...value, name: entry } : value;
    return withValue(tree, path, [...(Array.isArray(before) ? before : []), named]);
  }, {});
}

/** An assistant can only extend one before it in the list, but in the app they have no order. */
function basesFirst(units: readonly StoredUnit[]): readonly StoredUnit[] {
  const placed = new Set<StoredUnit>();
  const place = (unit: StoredUnit, above: readonly StoredUnit[]): void => {
    if (placed.has(unit) || above.includes(unit)) return;
    const base = units.find(
      ({ setting, entry }) =>
        setting === unit.setting && entry !== undefined && entry === valueAt(unit.value, ['extends']),
    );
    if (base) place(base, [...above, unit]);
    placed.add(unit);
  };
  for (const unit of units) place(unit, []);
  return [...placed];
}
