// Changes the person's password, or sets the first one in addition to a passkey.
import type { AccountInfo } from '@parley/protocol';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Card } from '../../ui/card.tsx';
import { showNotice } from '../../ui/notice.tsx';
import { PasswordForm } from './password-form.tsx';

export function PasswordCard({ person, password }: AccountInfo) {
  return (
    <Card
      title={t('Password')}
      hint={
        password
          ? t('A new password logs out all other devices that used the old one.')
          : t('You have no password. You can set one as another way to log in.')
      }
    >
      <PasswordForm
        person={person}
        asksCurrent={password}
        action={password ? t('Change password') : t('Set password')}
        save={(wanted) => send('PUT', '/api/account/password', wanted)}
        onSaved={() => showNotice(t('From now on, log in with your new password.'))}
      />
    </Card>
  );
}
