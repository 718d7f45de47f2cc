// The assistants: the built-in ones, and those that people add or change here.
import type { SettingsView } from '@parley/protocol';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type AssistantEntry, useChoices } from '../../chat/assistants.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EntryRow } from '../form/entry-row.tsx';
import { WithSettings } from '../form/parts.tsx';
import { changesOn, useChange } from '../form/saving.ts';
import { entriesAt, fieldsOf, textOf, textsOf } from '../form/view.ts';
import { AssistantForm } from './assistant-form.tsx';

export function AssistantsSection() {
  return <WithSettings keys={['assistants']}>{(view) => <Assistants view={view} />}</WithSettings>;
}

function Assistants({ view }: { view: SettingsView }) {
  const { assistants } = useChoices();
  const change = useChange();
  /** The name of the assistant that is edited; empty for a new one. */
  const [edited, setEdited] = useState<string>();
  const close = () => setEdited(undefined);
  const entries = entriesAt(view, 'assistants');
  return (
    <Card
      title={t('All assistants')}
      hint={t('The assistants that people can talk to. Each has its own instructions and tools.')}
      action={
        edited === undefined && (
          <Button onClick={() => setEdited('')}>
            <Plus size={16} aria-hidden />
            {t('Add an assistant')}
          </Button>
        )
      }
    >
      {edited === '' && <AssistantForm view={view} assistants={assistants} onClose={close} />}
      <ul className="grid divide-y divide-line">
        {assistants.map((assistant) => {
          const entry = entries.find(({ name }) => name === assistant.name);
          if (assistant.name === edited)
            return (
              <li key={assistant.name} className="py-4">
                <AssistantForm {...{ view, assistants, assistant, entry }} onClose={close} />
              </li>
            );
          const isIdle = edited === undefined;
          return (
            <EntryRow
              key={assistant.name}
              title={assistant.label}
              entry={entry}
              note={entry ? undefined : t('Comes with Parley.')}
              edit={entry ? t('Edit') : t('Extend')}
              onEdit={isIdle ? () => setEdited(assistant.name) : undefined}
              removal={
                isIdle && entry
                  ? {
                      warning: removalWarning(assistant),
                      run: () => change(changesOn(view, { [`assistants.${assistant.name}`]: null })),
                    }
                  : undefined
              }
            >
              <p className="break-words text-faint text-xs">
                {[assistant.name, ...(entry ? summary(fieldsOf(entry.value), assistant.name) : [])].join(
                  ' · ',
                )}
              </p>
            </EntryRow>
          );
        })}
      </ul>
    </Card>
  );
}

function removalWarning({ name }: AssistantEntry): string {
  return name === 'notes' || name === 'kitchen'
    ? t('This removes what was added here. The built-in assistant stays.')
    : t('People can no longer talk to it.');
}

function summary(entry: ReturnType<typeof fieldsOf>, name: string): string[] {
  const base = textOf(entry['extends']);
  const tools = textsOf(entry['tools']);
  return [
    ...(base === '' ? [] : [base === name ? t('changed here') : t('extends {name}', { name: base })]),
    ...(tools.length === 0 ? [] : [t('tools: {names}', { names: tools.join(', ') })]),
  ];
}
