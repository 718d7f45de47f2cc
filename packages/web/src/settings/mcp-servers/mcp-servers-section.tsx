// The MCP servers that assistants get tools from: their state, and forms to add, change, try and remove them.
import type { SettingEntry, SettingsView } from '@parley/protocol';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useChoices } from '../../chat/assistants.ts';
import { t } from '../../i18n/translate.ts';
import { ServerRemark, ServerState, useToolServers } from '../../overview/tool-servers.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Badge } from '../../ui/notes.tsx';
import { EntryRow } from '../form/entry-row.tsx';
import { WithSettings } from '../form/parts.tsx';
import { changesOn, useChange } from '../form/saving.ts';
import { entriesAt, fieldsOf, textOf, textsOf } from '../form/view.ts';
import { usageChanges, usesOf } from './assistants-of.ts';
import { ServerForm } from './server-form.tsx';

export function McpServersSection() {
  return <WithSettings keys={['mcpServers']}>{(view) => <Servers view={view} />}</WithSettings>;
}

function Servers({ view }: { view: SettingsView }) {
  const states = useToolServers().data?.servers ?? [];
  const { assistants } = useChoices();
  const change = useChange();
  /** The name of the server that is edited; empty for a new one. */
  const [edited, setEdited] = useState<string>();
  const close = () => setEdited(undefined);
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
    <Card
      title={t('All servers')}
      hint={t(
        'Programs and services that give assistants more tools, such as calendars, files or home automation.',
      )}
      action={
        edited === undefined && (
          <Button onClick={() => setEdited('')}>
            <Plus size={16} aria-hidden />
            {t('Add a server')}
          </Button>
        )
      }
    >
      {edited === '' && <ServerForm view={view} onClose={close} />}
      <ul className="grid divide-y divide-line">
        {entries.map((entry) =>
          entry.name === edited ? (
            <li key={entry.name} className="py-4">
              <ServerForm view={view} entry={entry} onClose={close} />
            </li>
          ) : (
            <EntryRow
              key={entry.name}
              title={entry.name}
              entry={entry}
              state={<State entry={entry} states={states} />}
              onEdit={edited === undefined ? () => setEdited(entry.name) : undefined}
              removal={
                edited === undefined
                  ? {
                      warning: t('Assistants can no longer use its tools. Its secrets are deleted too.'),
                      run: () => change(changesOn(view, removed(entry))),
                    }
                  : undefined
              }
            >
              <p className="break-words font-mono text-soft text-xs">{summary(entry)}</p>
              <Remark name={entry.name} states={states} />
            </EntryRow>
          ),
        )}
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
      </ul>
    </Card>
  );
}

type States = NonNullable<ReturnType<typeof useToolServers>['data']>['servers'];

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
