// Adds or changes an assistant: what it builds on, its instructions, its tools and its reminder.
import type { AssistantEntry, SettingEntry, SettingsView } from '@parley/protocol';
import { useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { ManyField } from '../form/controls.tsx';
import { NameField, SettingForm, useSettingForm } from '../form/setting-form.tsx';
import { entriesAt, fieldsOf, type Json, numberOf, settingAt, textOf, textsOf } from '../form/view.ts';

const parts = ['extends', 'label', 'systemPrompt', 'tools', 'reminder'];

export function AssistantForm({
  view,
  assistants,
  assistant,
  entry,
  onClose,
}: {
  view: SettingsView;
  assistants: readonly AssistantEntry[];
  /** Undefined for a new one. */
  assistant?: AssistantEntry;
  /** Undefined if it is built in and nobody has changed it. */
  entry?: SettingEntry | undefined;
  onClose: () => void;
}) {
  const form = useSettingForm(view, onClose);
  const before = fieldsOf(entry?.value);
  const [name, setName] = useState(assistant?.name ?? '');
  const [base, setBase] = useState(textOf(before['extends']) || (entry ? '' : (assistant?.name ?? '')));
  const [label, setLabel] = useState(textOf(before['label']));
  const [systemPrompt, setSystemPrompt] = useState(textOf(before['systemPrompt']));
  const [tools, setTools] = useState<readonly string[]>(textsOf(before['tools']));
  const reminder = fieldsOf(before['reminder']);
  const [reminderText, setReminderText] = useState(textOf(reminder['text']));
  const [fromMessage, setFromMessage] = useState(textOf(reminder['fromMessage']) || '3');

  const key = `assistants.${name}`;
  const at = (part: string) => form.problem(`${key}.${part}`);
  const isTaken = !assistant && assistants.some((one) => one.name === name);
  const value: Record<string, Json> = {
    ...(base !== '' && { extends: base }),
    ...(label !== '' && { label }),
    ...(systemPrompt !== '' && { systemPrompt }),
    tools: [...tools],
    ...(reminderText !== '' && { reminder: { fromMessage: numberOf(fromMessage), text: reminderText } }),
  };
  return (
    <SettingForm
      form={form}
      label={assistant?.label ?? t('Add an assistant')}
      fields={parts.map((part) => `${key}.${part}`)}
      entry={assistant ? undefined : key}
      applies={settingAt(view, 'assistants').applies}
      onSubmit={() => {
        if (!isTaken) form.save({ [key]: value });
      }}
    >
      {!assistant && (
        <NameField
          value={name}
          onChange={setName}
          isTaken={isTaken}
          problem={form.problem(key, true)}
          pattern="[a-z][a-z0-9\-]{0,31}"
          hint={t('A short name for programs to use, made of lowercase letters, digits and hyphens.')}
          placeholder={t('garden')}
        />
      )}
      <SelectField
        label={t('Based on')}
        hint={t('It gets that assistant’s instructions and tools, plus the ones below.')}
        problem={at('extends')}
        value={base}
        options={[
          { value: '', name: t('nothing') },
          ...assistants
            .filter((one) => one.name !== name || isBuiltIn(name))
            .map((one) => ({ value: one.name, name: one.label })),
        ]}
        onChoose={setBase}
      />
      <TextField
        label={t('Display name')}
        problem={at('label')}
        required={base === ''}
        placeholder={base === '' ? t('Garden') : (assistants.find((one) => one.name === base)?.label ?? '')}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
      />
      <TextArea
        label={t('Instructions')}
        hint={t('What the model should know and do, in your own words.')}
        problem={at('systemPrompt')}
        rows={8}
        required={base === ''}
        placeholder={t('You help us with the garden. Keep answers short, and remember what we have planted.')}
        value={systemPrompt}
        onChange={({ target }) => setSystemPrompt(target.value)}
      />
      <ManyField
        label={t('Tools')}
        problem={at('tools')}
        options={toolSources(view)}
        value={tools}
        onChange={setTools}
      />
      <TextArea
        label={t('Reminder')}
        hint={t('Sent to the model with later messages in a long conversation. People don’t see it.')}
        problem={at('reminder')}
        rows={2}
        value={reminderText}
        onChange={({ target }) => setReminderText(target.value)}
      />
      {reminderText !== '' && (
        <TextField
          label={t('First message with the reminder')}
          inputMode="numeric"
          value={fromMessage}
          onChange={({ target }) => setFromMessage(target.value)}
        />
      )}
    </SettingForm>
  );
}

export function isBuiltIn(name: string): boolean {
  return name === 'notes' || name === 'kitchen';
}

function toolSources(view: SettingsView) {
  const servers = entriesAt(view, 'mcpServers').map(({ name }) => name);
  return [
    { value: 'vault', name: t('Notes'), hint: t('Reads and writes the person’s notes.') },
    { value: 'web', name: t('Web'), hint: t('Searches and reads pages.') },
    { value: 'linkedin', name: 'LinkedIn', hint: t('Publishes posts.') },
    { value: 'artifacts', name: t('Artifacts'), hint: t('Shows recipes next to the chat.') },
    { value: 'recipes', name: t('Recipes'), hint: t('Finds and saves recipes.') },
    ...servers
      .filter((name) => name !== 'recipes')
      .map((name) => ({ value: name, name, hint: t('MCP server') })),
  ];
}
