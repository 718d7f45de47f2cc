// All bots in the settings: the one that each service has under its own keys, and the entries of `channels.more`.
import type { ChatService, SettingEntry, SettingsView } from '@parley/protocol';
import {
  entriesAt,
  type Fields,
  fieldsOf,
  isStoredSecret,
  type Json,
  settingAt,
  textsOf,
} from '../form/view.ts';

export interface Bot {
  readonly name: string;
  readonly service: ChatService;
  /** The service's own bot, whose settings have keys of their own. */
  readonly isOwn: boolean;
  /** Where its token comes from. */
  readonly token: Pick<SettingEntry, 'origin' | 'editable'>;
  /** Whether anything about it can be changed here. */
  readonly isEditable: boolean;
  readonly isOn: boolean;
  readonly allowFrom: readonly string[];
  /** The other settings of an entry. */
  readonly fields: Fields;
}

export const ownParts = ['token', 'allowFrom', 'enabled'] as const;

export function botsIn(view: SettingsView): Bot[] {
  const own = (['telegram', 'discord'] as const).flatMap((service) => {
    const [token, allowFrom, enabled] = ownParts.map((part) =>
      settingAt(view, `channels.${service}.${part}`),
    );
    if (!token || !isStoredSecret(token.value)) return [];
    const isEditable = [token, allowFrom, enabled].some((one) => one?.editable === true);
    const isOn = enabled?.value !== false;
    const bot = { name: service, service, isOwn: true, token, isEditable, isOn, fields: {} };
    return [{ ...bot, allowFrom: textsOf(allowFrom?.value) }];
  });
  const more = entriesAt(view, 'channels.more').map((entry) => {
    const fields = fieldsOf(entry.value);
    const service: ChatService = fields['service'] === 'discord' ? 'discord' : 'telegram';
    const { editable: isEditable, name } = entry;
    const isOn = fields['enabled'] !== false;
    const bot = { name, service, isOwn: false, token: entry, isEditable, isOn, fields };
    return { ...bot, allowFrom: textsOf(fields['allowFrom']) };
  });
  return [...own, ...more];
}

/** Values from the file or a variable stay. */
export function removalOf(view: SettingsView, { isOwn, name }: Bot): Fields {
  if (!isOwn) return { [`channels.more.${name}`]: null };
  const stored = ownParts
    .map((part) => settingAt(view, `channels.${name}.${part}`))
    .filter(({ revision }) => revision > 0);
  return Object.fromEntries(stored.map(({ key }) => [key, null as Json]));
}
