// For somebody who still uses the family password: their own password, passkey or identity provider instead.
import type { AccountInfo } from '@parley/protocol';
import { replaceLogin, send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { protectedPath } from './account-query.ts';
import { useLinkOpenId } from './openid-card.tsx';
import { canMakePasskeys, passkeysNeed, useAddPasskey } from './passkey.ts';
import { PasswordForm } from './password-form.tsx';

/** Leads to `next` afterwards. */
export function ProtectCard({ next = protectedPath, ...account }: AccountInfo & { next?: string }) {
  const { person, role, openId } = account;
  const passkey = useAddPasskey(account, next);
  const link = useLinkOpenId();
  return (
    <Card
      title={t('Protect my account')}
      hint={t(
        'Everybody who knows the family password can log in as {person}. With your own password or passkey, only you can.',
        { person },
      )}
    >
      {role === 'owner' && (
        <p className="mb-4 text-sm">
          {t(
            'You will stay an owner. Everyone else will become a member until they have an account and you make them an owner.',
          )}
        </p>
      )}
      <PasswordForm
        person={person}
        action={t('Protect with a password')}
        save={(wanted) => replaceLogin(() => send('POST', '/api/account', wanted), next)}
      >
        {canMakePasskeys(account) && (
          <Button disabled={passkey.isPending} onClick={() => passkey.mutate(undefined)}>
            {t('Use a passkey instead')}
          </Button>
        )}
        {openId && (
          <Button disabled={link.isPending} onClick={() => link.mutate()}>
            {t('Continue with {provider}', { provider: openId.name })}
          </Button>
        )}
      </PasswordForm>
      <div className="mt-4 grid gap-3 empty:hidden">
        {passkey.isError && <ErrorNote error={passkey.error} />}
        {link.isError && <ErrorNote error={link.error} />}
        {!canMakePasskeys(account) && <p className="text-faint text-xs leading-relaxed">{passkeysNeed()}</p>}
      </div>
    </Card>
  );
}
