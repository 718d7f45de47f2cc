// Links the person's account to the identity provider.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Badge, ErrorNote } from '../../ui/notes.tsx';
import { useAccountChange } from './account-query.ts';

export function OpenIdCard({ name, linked }: { name: string; linked: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const link = useLinkOpenId();
  const unlink = useAccountChange(() => send('DELETE', '/api/account/openid'));
  return (
    <Card
      title={name}
      hint={
        linked
          ? t('You can log in with {provider}.', { provider: name })
          : t('Link your account to log in with {provider}.', { provider: name })
      }
      action={
        linked ? (
          <Button onClick={() => setAsking(true)}>{t('Unlink')}</Button>
        ) : (
          <Button disabled={link.isPending} onClick={() => link.mutate()}>
            {t('Link')}
          </Button>
        )
      }
    >
      <div className="grid justify-items-start gap-4">
        {linked ? <Badge tone="good">{t('linked')}</Badge> : <Badge>{t('not linked')}</Badge>}
        {link.isError && <ErrorNote error={link.error} />}
      </div>
      <ConfirmDialog
        open={isAsking}
        title={t('Unlink {provider}?', { provider: name })}
        warning={t('You will no longer be able to log in with it, and devices that did will be logged out.')}
        action={t('Unlink')}
        run={() => unlink.mutateAsync(undefined)}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}

/** Goes to the provider's page, which leads back here. */
export function useLinkOpenId() {
  return useMutation({
    mutationFn: () => send<{ url: string }>('POST', '/api/account/openid'),
    onSuccess: ({ url }) => location.assign(url),
  });
}
