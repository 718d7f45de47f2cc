// The settings in the support report. Shows a value only if its type rules out a secret: a number, true or false, or
// one of the choices in the schema. Of all others, the report only says whether they are set.
import type { SupportReport } from '@parley/protocol';
import type { LoadedConfig } from './resolve.ts';
import { allSettings } from './schema.ts';
import { Secret } from './secret.ts';
import type { Setting } from './setting.ts';
import { valueAt } from './tree.ts';

type Shown = SupportReport['settings'][number];

export function harmlessSettings({
  config,
  origins,
}: Pick<LoadedConfig, 'config' | 'origins'>): SupportReport['settings'] {
  return allSettings.map((setting) => ({
    key: setting.key,
    value: shown(setting, valueAt(config, setting.path)),
    from: origins.get(setting.key)?.from ?? 'default',
  }));
}

function shown({ secret, isChoice }: Setting, value: unknown): Shown['value'] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' && !(value instanceof Secret)) return `${Object.keys(value).length} set`;
  if (secret) return 'set';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return isChoice && typeof value === 'string' ? value : 'set';
}
