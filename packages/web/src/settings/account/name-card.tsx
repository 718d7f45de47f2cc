// How other people see my name.
import type { AccountInfo } from '@parley/protocol';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField, typedIn } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { showNotice } from '../../ui/notice.tsx';
import { useAccountChange } from './account-query.ts';

export function NameCard({ person, displayName }: AccountInfo) {
  const rename = useAccountChange((name: string) =>
    send('PATCH', '/api/account', { displayName: name === '' ? null : name }),
  );
  return (
    <Card title={t('Name')}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const name = typedIn(event.currentTarget, 'name').trim();
          rename.mutate(name, { onSuccess: () => showNotice(t('Your name is saved.')) });
        }}
      >
        <TextField
          label={t('Display name')}
          name="name"
          maxLength={100}
          autoComplete="name"
          defaultValue={displayName === person ? '' : displayName}
          placeholder={person}
          hint={t('You still log in as {person}.', { person })}
        />
        {rename.isError && <ErrorNote error={rename.error} />}
        <Button type="submit" className="justify-self-start" disabled={rename.isPending}>
          {t('Save name')}
        </Button>
      </form>
    </Card>
  );
}
