// The places that settings come from, each read into the shape of the configuration file.

import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isRecord } from '../basics/is-record.ts';
import { entriesOf, isCollection } from './collections.ts';
import type { Environment } from './environment.ts';
import type { Origin, Problem } from './problem.ts';
import type { Setting, TextForm } from './setting.ts';
import { type Tree, valueAt, withValue } from './tree.ts';

export type Flags = Readonly<Record<string, string | undefined>>;

/** The settings from one place, and the exact origin of each. */
export interface Layer {
  readonly tree: Tree;
  readonly origins: ReadonlyMap<string, Origin>;
}

/** The base folders of relative paths and `~`. */
export interface Folders {
  readonly current: string;
  readonly user: string;
}

const fileName = 'parley.config.json';

/** The named file, else the one in the current folder, else the one in Parley's home. */
export function findConfigFile(named: string | undefined, home: string, folders: Folders): string[] {
  if (named !== undefined) return [absolutePath(named, folders)];
  return [join(folders.current, fileName), join(home, fileName)];
}

/** Reads the first file that exists. A missing required file and invalid JSON are problems. */
export function fileLayer(
  candidates: readonly string[],
  settings: readonly Setting[],
  options: { required: boolean; user: string },
): Layer & { readonly file?: string; readonly problems: readonly Problem[] } {
  for (const file of candidates) {
    const origin: Origin = { from: 'file', name: file };
    const refused = (message: string, hint: string) => ({
      ...emptyLayer,
      file,
      problems: [{ key: '', origin, message, hint }],
    });
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const missing = code === 'ENOENT' || code === 'ENOTDIR';
      if (missing && !options.required) continue;
      if (missing) return refused('the file does not exist', 'Check the path after --config.');
      return refused(
        `can't be read (${code})`,
        'Check that it is a file and that you have permission to read it.',
      );
    }
    let tree: unknown;
    try {
      tree = JSON.parse(text.replace(/^\uFEFF/, ''));
    } catch (error) {
      return refused(
        `invalid JSON${placeOf(error, text)}`,
        'Look for a missing comma, quote or bracket, or for comments.',
      );
    }
    if (!isRecord(tree)) return refused('expected an object', 'Put the settings between { and }.');
    const folders = { current: dirname(file), user: options.user };
    return { ...layerOf(tree, origin, settings, folders), file, problems: [] };
  }
  return { ...emptyLayer, problems: [] };
}

export function environmentLayer(
  environment: Environment,
  settings: readonly Setting[],
  folders: Folders,
): Layer {
  return textLayer(settings, folders, (setting) => {
    const name = [setting.alias, setting.env].find((each) => each && environment[each]?.trim());
    const text = name && environment[name]?.trim();
    return name && text ? { text, origin: { from: 'environment', name } } : undefined;
  });
}

export function flagLayer(flags: Flags, settings: readonly Setting[], folders: Folders): Layer {
  return textLayer(settings, folders, (setting) => {
    const text = setting.flag && flags[setting.flag];
    return setting.flag && text !== undefined
      ? { text, origin: { from: 'flag', name: setting.flag } }
      : undefined;
  });
}

/** Merges the layers setting by setting, and collections entry by entry; later layers win. */
export function mergeLayers(layers: readonly Layer[], settings: readonly Setting[]): Layer {
  return layers.reduce((below, above) => ({
    tree: settings
      .filter(({ key }) => above.origins.has(key))
      .reduce((tree, setting) => {
        const { path } = setting;
        const value = valueAt(above.tree, path);
        return withValue(tree, path, isCollection(setting.key) ? joined(valueAt(tree, path), value) : value);
      }, below.tree),
    origins: new Map([...below.origins, ...above.origins]),
  }));
}

/** Both have the shape of the same setting, unless one of them is wrong. */
function joined(below: unknown, above: unknown): unknown {
  if (isRecord(below) && isRecord(above)) return { ...below, ...above };
  if (!Array.isArray(below) || !Array.isArray(above)) return above;
  const names = entriesOf(above);
  return [...above, ...[...entriesOf(below)].flatMap(([name, entry]) => (names.has(name) ? [] : [entry]))];
}

export function absolutePath(path: string, { current, user }: Folders): string {
  return resolve(current, path.replace(/^~(?=\/|\\|$)/, user));
}

const emptyLayer: Layer = { tree: {}, origins: new Map() };

/** Everything in the tree comes from the same place. Entries of collections have an origin of their own. */
export function layerOf(tree: Tree, origin: Origin, settings: readonly Setting[], folders: Folders): Layer {
  const given = settings.filter(({ path }) => valueAt(tree, path) !== undefined);
  const keys = given.flatMap(({ key, path }) => [
    key,
    ...(isCollection(key) ? [...entriesOf(valueAt(tree, path)).keys()].map((name) => `${key}.${name}`) : []),
  ]);
  return {
    tree: withAbsolutePaths(tree, given, folders),
    origins: new Map(keys.map((key) => [key, origin])),
  };
}

/** Includes paths in the entries of lists. */
function withAbsolutePaths(tree: Tree, settings: readonly Setting[], folders: Folders): Tree {
  const absolute = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(absolute);
    if (isRecord(value)) return { ...value, path: absolute(value['path']) };
    return typeof value === 'string' && value !== '' ? absolutePath(value, folders) : value;
  };
  return settings.reduce((changed, { path, form, entries }) => {
    const value = valueAt(changed, path);
    if (value === undefined) return changed;
    if (form === 'path' || form === 'paths') return withValue(changed, path, absolute(value));
    if (entries.length === 0 || !Array.isArray(value)) return changed;
    const inEntry = (entry: unknown) =>
      isRecord(entry) ? withAbsolutePaths(entry, entries, folders) : entry;
    return withValue(changed, path, value.map(inEntry));
  }, tree);
}

function textLayer(
  settings: readonly Setting[],
  folders: Folders,
  find: (setting: Setting) => { text: string; origin: Origin } | undefined,
): Layer {
  let tree: Tree = {};
  const origins = new Map<string, Origin>();
  for (const setting of settings) {
    const found = find(setting);
    if (!found) continue;
    tree = withValue(tree, setting.path, fromText(found.text, setting.form ?? 'text', folders));
    origins.set(setting.key, found.origin);
  }
  return { tree, origins };
}

/** Returns text that doesn't fit its form unchanged, so that the schema refuses it and the message can show it. */
function fromText(text: string, form: TextForm, folders: Folders): unknown {
  switch (form) {
    case 'text':
      return text;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      if (/^(1|true|yes|on)$/i.test(text)) return true;
      return /^(0|false|no|off)$/i.test(text) ? false : text;
    case 'list':
      return text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
    case 'path':
      return text === '' ? text : absolutePath(text, folders);
    case 'paths':
      return text
        .split(delimiter)
        .filter((path) => path.trim() !== '')
        .map((path) => absolutePath(path.trim(), folders));
    default:
      return form satisfies never;
  }
}

/** The position in a syntax error. The rest of its message is left out because it quotes the file. */
function placeOf(error: unknown, text: string): string {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
