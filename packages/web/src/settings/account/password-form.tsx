// Choosing a password, for a new account and for an existing one. The server says what is wrong with a weak one.
import type { ReactNode } from 'react';
import { useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField, typedIn } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { useAccountChange } from './account-query.ts';

export interface NewPassword {
  readonly password: string;
  readonly current?: string;
}

export function PasswordForm({
  person,
  action,
  asksCurrent = false,
  save,
  onSaved,
  children,
}: {
  person: string;
  /** The name of the button. */
  action: string;
  asksCurrent?: boolean;
  save: (wanted: NewPassword) => Promise<unknown>;
  onSaved?: () => void;
  /** More buttons. */
  children?: ReactNode;
}) {
  const [isShown, setShown] = useState(false);
  const saving = useAccountChange(save);
  const type = isShown ? 'text' : 'password';
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        saving.mutate(
          {
            password: typedIn(form, 'password'),
            ...(asksCurrent && { current: typedIn(form, 'current') }),
          },
          {
            onSuccess: () => {
              form.reset();
              onSaved?.();
            },
          },
        );
      }}
    >
      {/* Tells password managers whose password it is. */}
      <input hidden readOnly name="username" autoComplete="username" value={person} />
      {asksCurrent && (
        <TextField
          label={t('Current password')}
          name="current"
          type={type}
          required
          autoComplete="current-password"
        />
      )}
      <TextField
        label={t('New password')}
        name="password"
        type={type}
        required
        minLength={8}
        autoComplete="new-password"
        hint={t('A few unrelated words are easy to remember and hard to guess.')}
      />
      <CheckField
        label={t('Show password')}
        checked={isShown}
        onChange={({ target }) => setShown(target.checked)}
      />
      {saving.isError && <ErrorNote error={saving.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" disabled={saving.isPending}>
          {action}
        </Button>
        {children}
      </div>
    </form>
  );
}
