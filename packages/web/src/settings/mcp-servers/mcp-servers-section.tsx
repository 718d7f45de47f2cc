// The MCP servers that assistants get tools from: their state, and forms to add, change, try and remove them.
import type { SettingEntry, SettingsView } from '@parley/protocol';
import { useChoices } from '../../app/assistants.ts';
import { t } from '../../i18n/translate.ts';
import { ServerRemark, ServerState, useMcpServers } from '../../overview/mcp-servers.tsx';
import { Badge } from '../../ui/notes.tsx';
import { EntryList } from '../form/entry-list.tsx';
import { EntryRow } from '../form/entry-row.tsx';
import { WithSettings } from '../form/parts.tsx';
import { changesOn, useSaveSettings } from '../form/saving.ts';
import { entriesAt, fieldsOf, textOf, textsOf } from '../form/view.ts';
import { usageChanges, usesOf } from './assistants-of.ts';
import { ServerForm } from './server-form.tsx';

export function McpServersSection() {
  return <WithSettings keys={['mcpServers']}>{(view) => <Servers view={view} />}</WithSettings>;
}

function Servers({ view }: { view: SettingsView }) {
  const states = useMcpServers().data?.servers ?? [];
  const { assistants } = useChoices();
  const change = useSaveSettings();
  const entries = entriesAt(view, 'mcpServers');
  const builtIn = states.filter(({ name }) => !entries.some((entry) => entry.name === name));
  const removed = (entry: SettingEntry) => {
    const uses = usesOf(
      view,
      assistants.map(({ name }) => name),
      entry.name,
    );
    // An assistant must not name a server that doesn't exist.
    return { ...usageChanges(view, uses, entry.name, []), [`mcpServers.${entry.name}`]: null };
  };
  return (
    <EntryList
      title={t('All servers')}
      hint={t(
        'Programs and services that give assistants more tools, such as calendars, files or home automation.',
      )}
      add={t('Add a server')}
      entries={entries}
      form={(onClose, entry) => <ServerForm {...{ view, onClose }} {...(entry && { entry })} />}
      row={(entry) => ({
        title: entry.name,
        entry,
        state: <State entry={entry} states={states} />,
        removal: {
          warning: t('Assistants will no longer be able to use its tools. Its secrets will be deleted too.'),
          run: () => change(changesOn(view, removed(entry))),
        },
        children: (
          <>
            <p className="break-words font-mono text-soft text-xs">{summary(entry)}</p>
            <Remark name={entry.name} states={states} />
          </>
        ),
      })}
    >
      {builtIn.map((server) => (
        <EntryRow
          key={server.name}
          title={server.name}
          state={<ServerState {...server} />}
          note={t('Comes with Parley.')}
        >
          <ServerRemark {...server} />
        </EntryRow>
      ))}
    </EntryList>
  );
}

type States = NonNullable<ReturnType<typeof useMcpServers>['data']>['servers'];

function State({ entry, states }: { entry: SettingEntry; states: States }) {
  const state = states.find(({ name }) => name === entry.name);
  return state ? <ServerState {...state} /> : <Badge>{t('off')}</Badge>;
}

function Remark({ name, states }: { name: string; states: States }) {
  const state = states.find((one) => one.name === name);
  return state ? <ServerRemark {...state} /> : null;
}

function summary({ value }: SettingEntry): string {
  const { url, command, args } = fieldsOf(value);
  return textOf(url) || [textOf(command), ...textsOf(args)].join(' ');
}
