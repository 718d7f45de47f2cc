// The assistants: the built-in ones, and those that people add or change here.
import type { SettingsView } from '@parley/protocol';
import { useChoices } from '../../app/assistants.ts';
import { t } from '../../i18n/translate.ts';
import { EntryList } from '../form/entry-list.tsx';
import { WithSettings } from '../form/parts.tsx';
import { changesOn, useSaveSettings } from '../form/saving.ts';
import { entriesAt, fieldsOf, textOf, textsOf } from '../form/view.ts';
import { AssistantForm, isBuiltIn } from './assistant-form.tsx';

export function AssistantsSection() {
  return <WithSettings keys={['assistants']}>{(view) => <Assistants view={view} />}</WithSettings>;
}

function Assistants({ view }: { view: SettingsView }) {
  const { assistants } = useChoices();
  const change = useSaveSettings();
  const entries = entriesAt(view, 'assistants');
  const entryOf = (name: string) => entries.find((entry) => entry.name === name);
  return (
    <EntryList
      title={t('All assistants')}
      hint={t('The assistants that people can talk to. Each has its own instructions and tools.')}
      add={t('Add an assistant')}
      entries={assistants}
      form={(onClose, assistant) => (
        <AssistantForm
          {...{ view, assistants, onClose }}
          {...(assistant && { assistant, entry: entryOf(assistant.name) })}
        />
      )}
      row={({ name, label }) => {
        const entry = entryOf(name);
        return {
          title: label,
          entry,
          note: entry ? undefined : t('Comes with Parley.'),
          edit: entry ? t('Edit') : t('Extend'),
          removal: entry && {
            warning: removalWarning(name),
            run: () => change(changesOn(view, { [`assistants.${name}`]: null })),
          },
          children: (
            <p className="break-words text-faint text-xs">
              {[name, ...(entry ? summary(fieldsOf(entry.value), name) : [])].join(' · ')}
            </p>
          ),
        };
      }}
    />
  );
}

function removalWarning(name: string): string {
  return isBuiltIn(name)
    ? t('This removes what was added here. The built-in assistant stays.')
    : t('People will no longer be able to talk to it.');
}

function summary(entry: ReturnType<typeof fieldsOf>, name: string): string[] {
  const base = textOf(entry['extends']);
  const tools = textsOf(entry['tools']);
  return [
    ...(base === '' ? [] : [base === name ? t('changed here') : t('extends {name}', { name: base })]),
    ...(tools.length === 0 ? [] : [t('tools: {names}', { names: tools.join(', ') })]),
  ];
}
