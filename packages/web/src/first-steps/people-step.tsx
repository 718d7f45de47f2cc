// The second step: my own password or passkey, and invitations.
import { useQuery } from '@tanstack/react-query';
import { useHere } from '../app/me.tsx';
import { t } from '../i18n/translate.ts';
import { accountQuery } from '../settings/account/account-query.ts';
import { NameCard } from '../settings/account/name-card.tsx';
import { ProtectCard } from '../settings/account/protect-card.tsx';
import { InviteCard } from '../settings/people/invite-card.tsx';
import { ErrorNote, Skeleton } from '../ui/notes.tsx';

export function PeopleStep() {
  const { rights } = useHere();
  const { data: account, isPending, error, refetch } = useQuery(accountQuery);
  if (isPending) return <Skeleton className="h-72" />;
  if (!account) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <p className="text-soft text-sm leading-relaxed">
        {t(
          'Everybody gets their own notes, conversations and rights. If you use Parley alone, just continue.',
        )}
      </p>
      {account.account ? <NameCard {...account} /> : <ProtectCard {...account} next="/setup/people" />}
      {rights.includes('people') && <InviteCard />}
    </>
  );
}
