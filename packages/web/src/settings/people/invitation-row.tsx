// An invitation that nobody has accepted yet: create a new link, or revoke it.
import type { InvitationInfo } from '@parley/protocol';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useDisplayName } from '../../app/people.ts';
import { PersonName } from '../../app/person-name.tsx';
import { send } from '../../client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { t } from '../../i18n/translate.ts';
import { moment } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/notes.tsx';
import { showNotice } from '../../ui/notice.tsx';
import { roleNames } from '../roles.ts';
import { Row } from '../rows.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { usePeopleChange } from './people-changes.ts';

export function InvitationRow(invitation: InvitationInfo) {
  const { id, person, role, createdBy, expiresAt } = invitation;
  const [isLinking, setLinking] = useState(false);
  const nameOf = useDisplayName();
  const revoke = usePeopleChange(() => send('DELETE', `/api/invitations/${id}`));
  return (
    <Row
      icon={<Mail size={18} aria-hidden />}
      name={<PersonName person={person} />}
      badges={<Badge>{roleNames[role]()}</Badge>}
      details={[
        createdBy === null
          ? t('invited on the command line')
          : t('invited by {person}', { person: nameOf(createdBy) }),
        t('works until {when}', { when: moment(expiresAt, new Date()) }),
      ]}
    >
      <div className="flex flex-wrap justify-end gap-2">
        <Button aria-label={t('New link for {person}', { person })} onClick={() => setLinking(true)}>
          {t('New link')}
        </Button>
        <Button
          look="danger"
          aria-label={t('Revoke {person}’s invitation', { person })}
          disabled={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onError: (error) => showNotice(errorText(error)) })}
        >
          {t('Revoke')}
        </Button>
      </div>
      <LinkDialog
        open={isLinking}
        onClose={() => setLinking(false)}
        wanted={{ ...invitation, name: person }}
        explanation={t('The link that {person} already has will stop working.', { person })}
      />
    </Row>
  );
}
