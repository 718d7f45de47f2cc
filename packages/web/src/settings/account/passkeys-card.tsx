// The person's passkeys: add, rename, remove.
import type { AccountInfo, PasskeyInfo } from '@parley/protocol';
import { Fingerprint, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { moment } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { TextField, typedIn } from '../../ui/field.tsx';
import { MenuItem, MoreMenu } from '../../ui/menu.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { Row, Rows } from '../rows.tsx';
import { useAccountChange } from './account-query.ts';
import { canMakePasskeys, passkeysNeed, useAddPasskey } from './passkey.ts';

export function PasskeysCard(account: AccountInfo) {
  const { passkeys } = account;
  const add = useAddPasskey(account);
  const works = canMakePasskeys(account);
  return (
    <Card
      title={t('Passkeys')}
      hint={
        works
          ? t('With a passkey, you log in with your fingerprint, your face or your device’s PIN.')
          : passkeysNeed()
      }
      action={
        works && (
          <Button disabled={add.isPending} onClick={() => add.mutate(undefined)}>
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {add.isError && <ErrorNote error={add.error} />}
        {passkeys.length === 0 ? (
          <p className="text-faint text-sm">{t('You have no passkey yet.')}</p>
        ) : (
          <Rows>
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} {...passkey} />
            ))}
          </Rows>
        )}
      </div>
    </Card>
  );
}

function PasskeyRow({ id, name, host, createdAt, lastUsedAt }: PasskeyInfo) {
  const [dialog, setDialog] = useState<'rename' | 'remove'>();
  const close = () => setDialog(undefined);
  const path = `/api/account/passkeys/${encodeURIComponent(id)}`;
  const rename = useAccountChange((wanted: string) => send('PATCH', path, { name: wanted }));
  const remove = useAccountChange(() => send('DELETE', path));
  const now = new Date();
  return (
    <Row
      icon={<Fingerprint size={18} aria-hidden />}
      name={name}
      details={[
        t('at {host}', { host }),
        lastUsedAt === null
          ? t('added {when}', { when: moment(createdAt, now) })
          : t('last used {when}', { when: moment(lastUsedAt, now) }),
      ]}
    >
      <MoreMenu label={t('Manage the passkey {name}', { name })}>
        <MenuItem onSelect={() => setDialog('rename')}>
          <Pencil size={16} aria-hidden />
          {t('Rename')}
        </MenuItem>
        <MenuItem danger onSelect={() => setDialog('remove')}>
          <Trash2 size={16} aria-hidden />
          {t('Remove')}
        </MenuItem>
      </MoreMenu>
      <Dialog open={dialog === 'rename'} onOpenChange={close} title={t('Rename passkey')}>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate(typedIn(event.currentTarget, 'name').trim(), { onSuccess: close });
          }}
        >
          <TextField
            label={t('Name')}
            name="name"
            required
            autoFocus
            maxLength={100}
            defaultValue={name}
            onFocus={({ target }) => target.select()}
          />
          {rename.isError && <ErrorNote error={rename.error} />}
          <DialogButtons onCancel={close}>
            <Button look="primary" type="submit" disabled={rename.isPending}>
              {t('Rename')}
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
      <ConfirmDialog
        open={dialog === 'remove'}
        title={t('Remove the passkey {name}?', { name })}
        warning={t('You will no longer be able to log in with it, and devices that did will be logged out.')}
        action={t('Remove')}
        run={() => remove.mutateAsync(undefined)}
        onClose={close}
      />
    </Row>
  );
}
