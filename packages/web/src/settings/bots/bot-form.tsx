// Adds or changes a bot: its token, who may use it, and who answers.
import type { BotTrialResult, ChatService, SettingsView } from '@parley/protocol';
import { useState } from 'react';
import { useChoices } from '../../app/assistants.ts';
import { usePeople } from '../../app/people.ts';
import { t } from '../../i18n/translate.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { LinesField, lines, More, SecretField } from '../form/controls.tsx';
import { NameField, SettingForm, useSettingForm } from '../form/setting-form.tsx';
import { type Fields, type Json, placeText, settingAt, textOf } from '../form/view.ts';
import { type Bot, ownParts } from './bots.ts';

const exampleId = '123456789';
const parts = ['engine', 'assistant', 'permissionMode', 'person', 'model', 'workspace'] as const;

export function BotForm({
  view,
  bots,
  bot,
  onClose,
}: {
  view: SettingsView;
  bots: readonly Bot[];
  /** Undefined for a new one. */
  bot?: Bot;
  onClose: () => void;
}) {
  const form = useSettingForm<BotTrialResult>(view, onClose, '/api/settings/bots/test');
  const set: Json = bot ? { isSet: true } : '';
  const [service, setService] = useState<ChatService>(bot?.service ?? 'telegram');
  const [typedName, setName] = useState(bot?.name);
  const [token, setToken] = useState<Json>(set);
  const [allowFrom, setAllowFrom] = useState<readonly string[]>(bot?.allowFrom ?? []);
  const [isOn, setOn] = useState(bot?.isOn ?? true);
  const [more, setMore] = useState<Fields>(() =>
    Object.fromEntries(parts.map((part) => [part, textOf(bot?.fields[part])])),
  );

  const isFree = (name: string) => !bots.some((one) => one.name === name);
  // The first bot of a service gets the service's name.
  const name = typedName ?? (isFree(service) ? service : '');
  const isOwn = bot?.isOwn ?? name === service;
  const key = isOwn ? `channels.${service}` : `channels.more.${name}`;
  const isTaken = !bot && !isFree(name);
  const fixed = (part: (typeof ownParts)[number]) => {
    const state = isOwn ? settingAt(view, `${key}.${part}`) : undefined;
    return state && !state.editable ? placeText(state.origin) : undefined;
  };
  const values: Fields = isOwn ? ownValues() : { [key]: entryValue() };

  function ownValues(): Fields {
    const all: Record<(typeof ownParts)[number], Json> = {
      token,
      allowFrom: lines(allowFrom),
      enabled: isOn ? null : false,
    };
    return Object.fromEntries(
      ownParts.filter((part) => fixed(part) === undefined).map((part) => [`${key}.${part}`, all[part]]),
    );
  }

  function entryValue(): Record<string, Json> {
    const given = Object.entries(more).filter(([, value]) => value !== '');
    const apiRoot = bot?.fields['apiRoot'];
    return {
      ...(apiRoot !== undefined && { apiRoot }),
      ...Object.fromEntries(given),
      service,
      token,
      allowFrom: lines(allowFrom),
      enabled: isOn,
    };
  }

  return (
    <SettingForm
      form={form}
      label={bot?.name ?? t('Add a bot')}
      fields={[...ownParts, ...parts].map((part) => `${key}.${part}`)}
      entry={bot ? undefined : key}
      applies={settingAt(view, 'channels.more').applies}
      onSubmit={() => {
        if (!isTaken) form.save(values);
      }}
      trial={{
        values: { name, value: isOwn ? { token } : entryValue() },
        waiting: t('Testing the token …'),
        works: (
          <p role="status" className="rounded-card border border-good/30 bg-good-wash p-3 text-good text-sm">
            {t('The token works. The bot is {name}.', { name: form.test.data?.botName ?? name })}
          </p>
        ),
      }}
    >
      {!bot && (
        <>
          <SelectField
            label={t('Service')}
            value={service}
            options={[
              { value: 'telegram', name: 'Telegram' },
              { value: 'discord', name: 'Discord' },
            ]}
            onChoose={setService}
          />
          <NameField
            value={name}
            onChange={setName}
            isTaken={isTaken}
            problem={form.problem(key, true)}
            pattern="[a-z][a-z0-9\-]{0,31}"
            hint={t(
              'A short name made of lowercase letters, digits and hyphens. If you rename the bot, it starts new chats.',
            )}
            placeholder={t('family')}
          />
        </>
      )}
      <SecretField
        label={t('Token')}
        hint={
          fixed('token') ??
          (service === 'telegram'
            ? t('Send /newbot to @BotFather in Telegram. It replies with the token.')
            : t('From the “Bot” page of your application at discord.com/developers.'))
        }
        problem={form.problem(`${key}.token`)}
        disabled={fixed('token') !== undefined}
        required
        value={token}
        onChange={(typed) => setToken(typed === '' ? set : typed)}
      />
      <LinesField
        label={t('Who may use it')}
        hint={
          fixed('allowFrom') ??
          t('Numeric IDs, one per line; * lets everybody in. The log shows the ID of anyone who was refused.')
        }
        problem={form.problem(`${key}.allowFrom`)}
        disabled={fixed('allowFrom') !== undefined}
        placeholder={exampleId}
        value={allowFrom}
        onChange={setAllowFrom}
      />
      {!isOwn && <MoreFields {...{ more, setMore }} problem={(part) => form.problem(`${key}.${part}`)} />}
      <CheckField
        label={t('On')}
        hint={fixed('enabled')}
        problem={form.problem(`${key}.enabled`)}
        disabled={fixed('enabled') !== undefined}
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
    </SettingForm>
  );
}

function MoreFields({
  more,
  setMore,
  problem,
}: {
  more: Fields;
  setMore: (more: Fields) => void;
  problem: (part: string) => string | undefined;
}) {
  const people = usePeople();
  const { assistants } = useChoices();
  const same = { value: '', name: t('Same as all bots') };
  const choice = (part: (typeof parts)[number]) => ({
    problem: problem(part),
    value: textOf(more[part]),
    onChoose: (value: string) => setMore({ ...more, [part]: value }),
  });
  const typed = (part: (typeof parts)[number]) => ({
    placeholder: same.name,
    problem: problem(part),
    value: textOf(more[part]),
    onChange: ({ target }: { target: { value: string } }) => setMore({ ...more, [part]: target.value }),
  });
  return (
    <More isOpen={parts.some((part) => problem(part) !== undefined)}>
      <SelectField
        label={t('Who answers')}
        {...choice('engine')}
        options={[
          same,
          { value: 'claude-code', name: 'Claude Code' },
          { value: 'messages-api', name: t('An assistant') },
        ]}
      />
      <SelectField
        label={t('Assistant')}
        {...choice('assistant')}
        options={[same, ...assistants.map(({ name, label }) => ({ value: name, name: label }))]}
      />
      <SelectField
        label={t('Permissions')}
        {...choice('permissionMode')}
        options={[
          same,
          { value: 'ask', name: t('Ask in the chat') },
          { value: 'full', name: t('Allow everything') },
        ]}
      />
      <SelectField
        label={t('Person')}
        hint={t('Its chats use this person’s sessions.')}
        {...choice('person')}
        options={[same, ...people.map(({ person, displayName }) => ({ value: person, name: displayName }))]}
      />
      <TextField label={t('Model')} {...typed('model')} />
      <TextField label={t('Working folder')} {...typed('workspace')} />
    </More>
  );
}
