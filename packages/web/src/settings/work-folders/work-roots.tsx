// The folders in which Claude Code may work, each with its sandbox and the people who may use it.
import type { SettingsView } from '@parley/protocol';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useDisplayName, usePeople } from '../../app/people.ts';
import { FolderSandbox } from '../../code/sandbox-note.tsx';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { ManyField } from '../form/controls.tsx';
import { SettingForm, useSettingForm } from '../form/setting-form.tsx';
import { fieldsOf, type Json, placeText, settingAt, textOf, textsOf } from '../form/view.ts';

interface Root {
  readonly path: string;
  /** Empty for the default. */
  readonly sandbox: string;
  /** Undefined for everybody. */
  readonly people: readonly string[] | undefined;
}

const example = '/home/ada/projects';

export function WorkRoots({ view }: { view: SettingsView }) {
  const [isEdited, setEdited] = useState(false);
  const displayName = useDisplayName();
  const state = settingAt(view, 'workRoots');
  const roots = rootsIn(state.value);
  const place = placeText(state.origin);
  return (
    <Card
      title={t('Where Claude Code may work')}
      hint={t('Claude Code can work in these folders and their subfolders, and nowhere else.')}
      action={!isEdited && state.editable && <Button onClick={() => setEdited(true)}>{t('Edit')}</Button>}
    >
      {isEdited ? (
        <RootsForm view={view} roots={roots} onClose={() => setEdited(false)} />
      ) : (
        <>
          {roots.length === 0 && (
            <p className="text-faint text-sm">{t('No folders yet. Add one to use Claude Code.')}</p>
          )}
          <ul className="grid divide-y divide-line">
            {roots.map((root) => (
              <li key={root.path} className="grid gap-1.5 py-3 text-sm first:pt-0 last:pb-0">
                <h3 className="break-all font-medium font-mono text-xs">{root.path}</h3>
                <p className="text-soft text-xs">
                  {root.people
                    ? t('Only for {names}', { names: root.people.map(displayName).join(', ') })
                    : t('For everybody')}
                </p>
                <FolderSandbox place={{ path: root.path }} />
              </li>
            ))}
          </ul>
          {place !== undefined && <p className="mt-3 break-words text-soft text-xs">{place}</p>}
        </>
      )}
    </Card>
  );
}

function RootsForm({
  view,
  roots: before,
  onClose,
}: {
  view: SettingsView;
  roots: readonly Root[];
  onClose: () => void;
}) {
  const people = usePeople();
  const form = useSettingForm(view, onClose);
  const [roots, setRoots] = useState(before.length > 0 ? before : [empty]);
  const change = (at: number, part: Partial<Root>) =>
    setRoots(roots.map((root, index) => (index === at ? { ...root, ...part } : root)));
  return (
    <SettingForm
      form={form}
      label={t('Where Claude Code may work')}
      fields={roots.map((_, at) => `workRoots[${at}]`)}
      applies={settingAt(view, 'workRoots').applies}
      onSubmit={() => form.save({ workRoots: roots.map(stored) })}
    >
      {roots.map((root, at) => (
        // Rows have no identity but their index.
        <fieldset key={at} className="grid gap-4 border-line not-first:border-t not-first:pt-5">
          <legend className="sr-only">{root.path || t('New folder')}</legend>
          <TextField
            label={t('Folder')}
            hint={t('An absolute path on the server.')}
            problem={form.problem(`workRoots[${at}]`)}
            required
            className="font-mono"
            spellCheck={false}
            placeholder={example}
            value={root.path}
            onChange={({ target }) => change(at, { path: target.value })}
          />
          <SelectField
            label={t('Sandbox')}
            value={root.sandbox}
            options={[
              {
                value: '',
                name: t('Same as the server ({value})', {
                  value: textOf(settingAt(view, 'sandbox').value),
                }),
              },
              { value: 'auto', name: t('If available') },
              { value: 'required', name: t('Always: nothing starts without one') },
              { value: 'off', name: t('Never') },
            ]}
            onChoose={(sandbox) => change(at, { sandbox })}
          />
          <ManyField
            label={t('Only for')}
            hint={t('If you don’t choose anyone, everyone may work there.')}
            options={people.map(({ person, displayName }) => ({ value: person, name: displayName }))}
            value={root.people ?? []}
            onChange={(chosen) => change(at, { people: chosen.length > 0 ? chosen : undefined })}
          />
          <div>
            <Button
              look="quiet"
              className="-ml-3.5"
              aria-label={t('Remove {name}', { name: root.path || t('New folder') })}
              onClick={() => setRoots(roots.toSpliced(at, 1))}
            >
              {t('Remove')}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button onClick={() => setRoots([...roots, empty])}>
          <Plus size={16} aria-hidden />
          {t('Add a folder')}
        </Button>
      </div>
    </SettingForm>
  );
}

const empty: Root = { path: '', sandbox: '', people: undefined };

/** An entry is a path, or a path with its own settings. */
function rootsIn(value: Json): Root[] {
  return (Array.isArray(value) ? value : []).map((entry) => {
    if (typeof entry === 'string') return { ...empty, path: entry };
    const { path, sandbox, people } = fieldsOf(entry);
    return {
      path: textOf(path),
      sandbox: textOf(sandbox),
      people: Array.isArray(people) ? textsOf(people) : undefined,
    };
  });
}

function stored({ path, sandbox, people }: Root): Record<string, Json> {
  return { path: path.trim(), ...(sandbox !== '' && { sandbox }), ...(people && { people: [...people] }) };
}
