// What every section of settings needs: loading them, the end of a form, and values that are stored but not used.
import type { SettingState, SettingsView } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { otherProblems, problemText } from './problems.ts';
import { changesOn, type Saving, useSaving } from './saving.ts';
import { effectText, isStoredSecret, type Json, settingsQuery } from './view.ts';

/** Shows its content once the settings have loaded, below what is wrong with stored ones at or below these keys. */
export function WithSettings({
  keys,
  children,
}: {
  keys: readonly string[];
  children: (view: SettingsView) => ReactNode;
}) {
  const settings = useQuery(settingsQuery);
  if (settings.isPending) return <Skeleton className="h-72" />;
  if (settings.isError) return <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />;
  return (
    <>
      <Ignored view={settings.data} keys={keys} />
      {children(settings.data)}
    </>
  );
}

function Ignored({ view, keys }: { view: SettingsView; keys: readonly string[] }) {
  const saving = useSaving(() => undefined);
  // A problem without a key is about all of them.
  const ignored = view.ignored.filter(
    ({ key }) => key === '' || keys.some((one) => key === one || key.startsWith(`${one}.`)),
  );
  if (ignored.length === 0) return null;
  return (
    <Card
      title={t('Stored, but not used')}
      hint={t('These were set here, but something is wrong with them. Remove them, or set them again.')}
    >
      <ul className="grid gap-4">
        {ignored.map((problem) => (
          <li key={`${problem.key} ${problem.message}`} className="flex items-start gap-3 text-sm">
            <div className="min-w-0 flex-1">
              <p className="break-words font-medium">{problem.key}</p>
              <p className="break-words text-danger">{problemText(problem, problem.key)}</p>
            </div>
            {problem.revision > 0 && (
              <Button
                aria-label={t('Remove {name}', { name: problem.key })}
                disabled={saving.isPending}
                onClick={() => saving.save(changesOn(view, { [problem.key]: null }))}
              >
                {t('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <SaveProblems saving={saving} fields={[]} view={view} onDiscard={saving.reset} />
    </Card>
  );
}

/** Shows why a form wasn't saved, except for problems that its fields show. */
export function SaveProblems({
  saving,
  fields,
  entry,
  view,
  onDiscard,
}: {
  saving: Pick<Saving, 'error' | 'problems' | 'conflicts' | 'overwrite'>;
  /** The keys whose problems fields show themselves. */
  fields: readonly string[];
  /** The key of a new entry, whose name has a field. */
  entry?: string | undefined;
  view: SettingsView;
  onDiscard: () => void;
}) {
  const { error, problems, conflicts, overwrite } = saving;
  if (!error) return null;
  if (conflicts.length > 0)
    return (
      <div className="grid gap-3 rounded-card border border-warn/40 bg-warn-wash p-3 text-sm">
        <p role="alert" className="text-warn">
          {t('Somebody else has changed this in the meantime. What you typed is still here.')}
        </p>
        <dl className="grid gap-1">
          {conflicts.map((key) => (
            <div key={key}>
              <dt className="break-words font-medium">{t('{key} is now', { key })}</dt>
              <dd className="whitespace-pre-wrap break-words font-mono text-xs">
                {valueText(valueNow(view, key))}
              </dd>
            </div>
          ))}
        </dl>
        <div className="flex flex-wrap gap-2">
          <Button onClick={onDiscard}>{t('Discard mine')}</Button>
          <Button onClick={overwrite}>{t('Save mine')}</Button>
        </div>
      </div>
    );
  const rest = otherProblems(problems, fields, entry);
  if (problems.length === 0) return <ErrorNote error={error} />;
  if (rest.length === 0) return null;
  return <ErrorNote error={{ message: rest.map((problem) => problemText(problem, '')).join('\n') }} />;
}

function valueNow(view: SettingsView, key: string): Json {
  for (const setting of view.settings) {
    if (setting.key === key) return setting.value;
    const entry = setting.entries?.find(({ name }) => `${setting.key}.${name}` === key);
    if (entry) return entry.value;
  }
  return null;
}

function valueText(value: Json): string {
  if (value === null) return t('not set');
  if (typeof value === 'string') return value;
  const hidden = (_: string, part: unknown) => (isStoredSecret(part) ? '•••' : part);
  return JSON.stringify(value, hidden, 2);
}

/** The buttons to save and cancel, and when a change takes effect. */
export function FormEnd({
  saving,
  applies,
  onCancel,
  isChanged = true,
  children,
}: {
  saving: Saving;
  applies: SettingState['applies'];
  onCancel: () => void;
  isChanged?: boolean;
  /** More buttons. */
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" type="submit" disabled={saving.isPending || !isChanged}>
        {t('Save')}
      </Button>
      {children}
      {isChanged && (
        <Button look="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      )}
      <p className="min-w-0 text-faint text-xs max-sm:w-full">{effectText(applies)}</p>
    </div>
  );
}
