// People: who is here and what they may do, inviting somebody, and the open invitations.
import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from '../../app/people.ts';
import { t } from '../../i18n/translate.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { Rows } from '../rows.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { InviteCard } from './invite-card.tsx';
import { invitationsQuery } from './people-changes.ts';
import { PersonRow } from './person-row.tsx';

export function PeopleSection() {
  const people = useQuery(peopleQuery);
  const invitations = useQuery(invitationsQuery);
  const refused = [people, invitations].find(({ isError }) => isError);
  if (refused) return <ErrorNote error={refused.error} onRetry={() => void refused.refetch()} />;
  return (
    <>
      <InviteCard />
      {people.data && invitations.data ? (
        <>
          {invitations.data.length > 0 && (
            <Card
              title={t('Open invitations')}
              hint={t('Parley can’t show a link again. If one got lost, create a new one.')}
            >
              <Rows>
                {/* Keyed by person: a new link is a new invitation, and its dialog has to stay open. */}
                {invitations.data.map((invitation) => (
                  <InvitationRow key={invitation.person} {...invitation} />
                ))}
              </Rows>
            </Card>
          )}
          <Card title={t('Everybody here')}>
            <Rows>
              {people.data.map((person) => (
                <PersonRow key={person.person} {...person} />
              ))}
            </Rows>
          </Card>
        </>
      ) : (
        <Skeleton className="h-48" />
      )}
    </>
  );
}
