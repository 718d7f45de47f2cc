// The settings as the server reports them: how to find one, where it comes from, and when a change takes effect.
import type { KeptSecret, SettingChange, SettingOrigin, SettingState, SettingsView } from '@parley/protocol';
import { queryOptions } from '@tanstack/react-query';
import { get } from '../../client.ts';
import { t } from '../../i18n/translate.ts';

export type Json = SettingChange['value'];
export type Fields = Readonly<Record<string, Json>>;

export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }) => get<SettingsView>('/api/settings', signal),
});

export function settingAt({ settings }: SettingsView, key: string): SettingState {
  const found = settings.find((setting) => setting.key === key);
  if (!found) throw new Error(`The server has no setting ${key}.`);
  return found;
}

export function entriesAt(view: SettingsView, key: string) {
  return settingAt(view, key).entries ?? [];
}

/** The revision of a setting or entry. A stored value that isn't used has one too, because a new value replaces it. */
export function revisionOf(view: SettingsView, key: string): number {
  const ignored = view.ignored.find((one) => one.key === key);
  if (ignored) return ignored.revision;
  for (const setting of view.settings) {
    if (setting.key === key) return setting.revision;
    const entry = setting.entries?.find(({ name }) => `${setting.key}.${name}` === key);
    if (entry) return entry.revision;
  }
  return 0;
}

/** The fields of an entry's value. */
export function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

/** What is not a number stays as it was typed, so that the server can say what is wrong with it. */
export function numberOf(text: string): Json {
  return Number.isNaN(Number(text)) ? text : Number(text);
}

export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map((one) => textOf(one)) : [];
}

export function isStoredSecret(value: unknown): value is KeptSecret {
  return typeof value === 'object' && value !== null && 'isSet' in value;
}

/** Undefined if the app may change it. */
export function placeText({ from, name = '' }: SettingOrigin): string | undefined {
  switch (from) {
    case 'file':
      return t('Set in {file}. It can only be changed there.', { file: name.split(/[/\\]/).at(-1) ?? name });
    case 'environment':
      return t('Set by the variable {name}. It can only be changed there.', { name });
    case 'flag':
      return t('Set by the option {name} that the server was started with.', { name: `--${name}` });
    default:
      return undefined;
  }
}

export function effectText(applies: SettingState['applies']): string {
  switch (applies) {
    case 'next-turn':
      return t('Takes effect with the next message.');
    case 'new-sessions':
      return t('Takes effect in new sessions.');
    case 'restarts-bot':
      return t('Takes effect at once. The affected bots reconnect.');
    case 'next-start':
      return t('Takes effect when the server restarts.');
    default:
      return t('Takes effect at once.');
  }
}
