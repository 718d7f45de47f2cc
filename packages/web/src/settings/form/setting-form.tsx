// A form that changes settings. It keeps what was typed until it is saved or the person cancels.
import type { SettingState, SettingsTrial, SettingsView } from '@parley/protocol';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { send } from '../../client.ts';
import { asSentence, serverText } from '../../i18n/server-text.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNote, Spinner } from '../../ui/notes.tsx';
import { FormEnd, SaveProblems } from './parts.tsx';
import { problemAt } from './problems.ts';
import { changesOn, problemsIn, useSaving } from './saving.ts';
import type { Fields } from './view.ts';

export type FormState = ReturnType<typeof useSettingForm>;

/** `trial` is the address of a route that tests values before they are saved. */
export function useSettingForm<Result extends { ok: boolean; problem: string | null }>(
  view: SettingsView,
  onClose: () => void,
  trial = '',
) {
  // As it was when the person began to edit.
  const [basis] = useState(view);
  const saving = useSaving(onClose);
  const test = useMutation({
    mutationFn: (values: SettingsTrial) => send<Result>('POST', trial, values),
    onMutate: saving.reset,
  });
  const problems = [...saving.problems, ...problemsIn(test.error)];
  return {
    view,
    basis,
    saving,
    test,
    onClose,
    save(values: Fields) {
      test.reset();
      saving.save(changesOn(basis, values));
    },
    problem: (key: string, isEntry = false) => problemAt(problems, key, isEntry),
  };
}

export function SettingForm({
  form,
  label,
  fields,
  entry,
  applies,
  onSubmit,
  trial,
  children,
}: {
  form: Pick<FormState, 'view' | 'saving' | 'test' | 'onClose'>;
  label: string;
  /** The keys whose problems the fields show. */
  fields: readonly string[];
  /** The key of a new entry, whose name has a field. */
  entry?: string | undefined;
  applies: SettingState['applies'];
  onSubmit: () => void;
  /** What to try, and what to say if it works. */
  trial?: { readonly values: SettingsTrial; readonly waiting: string; readonly works: ReactNode };
  children: ReactNode;
}) {
  const { view, saving, test, onClose } = form;
  const refused = test.error
    ? { ...saving, error: test.error, problems: problemsIn(test.error), conflicts: [] }
    : saving;
  return (
    <form
      aria-label={label}
      className="mb-5 grid gap-5 rounded-card border border-line bg-paper p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <SaveProblems {...{ fields, entry, view }} saving={refused} onDiscard={onClose} />
      {test.isPending && trial && <Spinner label={trial.waiting} />}
      {test.data?.ok && trial?.works}
      {typeof test.data?.problem === 'string' && (
        <ErrorNote error={{ message: asSentence(serverText(test.data.problem)) }} />
      )}
      <FormEnd saving={saving} applies={applies} onCancel={onClose}>
        {trial && (
          <Button disabled={test.isPending} onClick={() => test.mutate(trial.values)}>
            {t('Test')}
          </Button>
        )}
      </FormEnd>
    </form>
  );
}

/** The name of a new entry. */
export function NameField({
  value,
  onChange,
  isTaken,
  ...rest
}: {
  value: string;
  onChange: (name: string) => void;
  isTaken: boolean;
  pattern: string;
  hint: string;
  placeholder: string;
  problem: string | undefined;
}) {
  return (
    <TextField
      {...rest}
      label={t('Name')}
      problem={isTaken ? t('This name is already taken.') : rest.problem}
      title={rest.hint}
      // The person just asked for this form.
      autoFocus
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
