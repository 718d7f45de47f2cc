// My account: my name, what I log in with and where, how this browser behaves, and what I may do.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from 'wouter';
import { t } from '../../i18n/translate.ts';
import { NotificationsCard } from '../../push/notifications-card.tsx';
import { ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { accountQuery } from './account-query.ts';
import { BrowserCard } from './browser-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { NameCard } from './name-card.tsx';
import { OpenIdCard } from './openid-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProtectCard } from './protect-card.tsx';
import { RoleCard } from './role-card.tsx';

export function AccountSection() {
  const { data: account, isPending, error, refetch } = useQuery(accountQuery);
  const isProtected = useSearch() === 'protected';
  if (isPending) return <Skeleton className="h-72" />;
  if (!account) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {account.account ? (
        <>
          {isProtected && (
            <p role="status" className="rounded-card bg-good-wash p-4 text-good text-sm">
              {t('From now on, only you can log in as {person}.', account)}
            </p>
          )}
          <NameCard {...account} />
          <PasswordCard {...account} />
          <PasskeysCard {...account} />
          {account.openId && <OpenIdCard {...account.openId} />}
        </>
      ) : (
        <ProtectCard {...account} />
      )}
      <DevicesCard isFamily={!account.account} />
      <BrowserCard />
      <NotificationsCard />
      <RoleCard />
    </>
  );
}
