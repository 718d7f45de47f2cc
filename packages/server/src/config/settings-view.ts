// What the app shows of the configuration: every setting with its origin, and no secret.

import type { SettingEntry, SettingState, SettingsView } from '@parley/protocol';
import { z } from 'zod';
import { isRecord } from '../basics/is-record.ts';
import { entriesOf, isCollection } from './collections.ts';
import { appliesWhen } from './editable.ts';
import type { Problem } from './problem.ts';
import type { LoadedConfig } from './resolve.ts';
import { allSettings, Settings } from './schema.ts';
import { Secret } from './secret.ts';
import { aboutSettings, type Setting } from './setting.ts';
import { valueAt } from './tree.ts';

type Json = SettingState['value'];
type Schema = SettingState['schema'];

export function settingsView(loaded: LoadedConfig): SettingsView {
  return {
    file: loaded.file ?? null,
    settings: allSettings.map((setting) => stateOf(setting, loaded)),
    ignored: loaded.ignored.map((problem) => ignoredOf(problem, loaded)),
  };
}

/** Names the stored setting, which people can remove, even if the problem is in a part of it. */
function ignoredOf(
  { key, message, hint }: Problem,
  { stored }: LoadedConfig,
): SettingsView['ignored'][number] {
  const isIn = (unit: string) => ['.', '['].some((step) => key.startsWith(unit + step));
  const unit = Object.keys(stored.settings).find(isIn) ?? key;
  const revision = stored.settings[unit]?.revision ?? 0;
  if (unit === key) return { key, message, hint, revision };
  return { key: unit, message: `${key.slice(unit.length).replace(/^\./, '')}: ${message}`, hint, revision };
}

function stateOf(setting: Setting, loaded: LoadedConfig): SettingState {
  const { key, path, meaning, hint } = setting;
  const value = valueAt(loaded.config, path);
  return {
    key,
    ...heldAt(key, setting, isCollection(key) ? null : shown(value, setting, loaded), loaded),
    applies: appliesWhen(key) ?? null,
    meaning,
    hint: hint ?? null,
    schema: schemaOf(setting),
    entries: isCollection(key) ? entries(setting, value, loaded) : null,
  };
}

function entries(setting: Setting, value: unknown, loaded: LoadedConfig): SettingEntry[] {
  return [...entriesOf(value)].map(([name, entry]) => ({
    name,
    ...heldAt(`${setting.key}.${name}`, setting, withMarks(entry), loaded),
  }));
}

function heldAt(key: string, setting: Setting, value: Json, loaded: LoadedConfig) {
  const origin = loaded.origins.get(key) ?? { from: 'default' as const };
  const revision = loaded.stored.settings[key]?.revision ?? 0;
  const isGiven = loaded.given.layers.some(({ origins }) => origins.has(key));
  const isFixed = isGiven && !(isCollection(setting.key) && key === setting.key);
  const editable = appliesWhen(setting.key) !== undefined && !isFixed;
  return { value, origin, editable, revision, overridden: isFixed && revision > 0 };
}

function shown(value: unknown, { key, secret }: Setting, { origins, stored }: LoadedConfig): Json {
  if (value === undefined) return null;
  if (secret) return isEmpty(value) ? null : { isSet: true };
  // As it was typed, without what follows from it.
  const typed = origins.get(key)?.from === 'app' ? stored.settings[key]?.value : undefined;
  return typed ?? withMarks(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Secret)
    ? Object.keys(value).length === 0
    : false;
}

/** JSON with a mark in place of each secret. */
function withMarks(value: unknown): Json {
  if (value instanceof Secret) return { isSet: true };
  if (Array.isArray(value)) return value.map(withMarks);
  if (!isRecord(value)) return (value ?? null) as Json;
  const given = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(given.map(([key, part]) => [key, withMarks(part)]));
}

let wholeSchema: unknown;

/** Made on first use, because most processes never need it. */
function schemaOf({ path, key }: Setting): Schema {
  wholeSchema ??= z.toJSONSchema(Settings, {
    io: 'input',
    metadata: aboutSettings,
    unrepresentable: 'any',
  });
  const schema = valueAt(
    wholeSchema,
    path.flatMap((step) => ['properties', step]),
  );
  if (!isCollection(key)) return (schema ?? {}) as Schema;
  return (valueAt(schema, ['items']) ?? valueAt(schema, ['additionalProperties']) ?? {}) as Schema;
}
