// Invites somebody: asks for a name and a role, then shows the link to send them.
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { usePeople } from '../../app/people.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { loginName } from './login-name.ts';
import { type RoleChoice, useInvite } from './people-changes.ts';
import { isComplete, RoleFields } from './role-fields.tsx';

const asMember: RoleChoice = { role: 'member', assistants: [] };

export function InviteCard() {
  const [typed, setTyped] = useState('');
  const [choice, setChoice] = useState(asMember);
  const invite = useInvite();
  const field = useFocusWhenAsked();
  const people = usePeople();
  const name = loginName(typed);
  const known = people.find(({ person, account }) => person === name && account);
  const again = () => {
    setTyped('');
    setChoice(asMember);
    invite.reset();
  };
  if (invite.data)
    return (
      <div role="status">
        <Card title={t('Send this link to {person}', { person: invite.data.person })}>
          <InvitationLink invitation={invite.data}>
            <Button onClick={again}>{t('Invite someone else')}</Button>
          </InvitationLink>
        </Card>
      </div>
    );
  return (
    <Card
      title={t('Invite someone')}
      hint={t('They get a link, choose their own password or passkey, and are in.')}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ name, ...choice });
        }}
      >
        <TextField
          ref={field}
          label={t('Name')}
          required
          maxLength={100}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          hint={
            known
              ? t(
                  '{person} already has an account. The link will give them a new way to log in, and the ones they have now will stop working.',
                  known,
                )
              : name === ''
                ? t('The name they log in with, such as their first name.')
                : t('They log in as {name}.', { name })
          }
        />
        {!known && <RoleFields {...choice} onChange={setChoice} />}
        {invite.isError && <ErrorNote error={invite.error} />}
        <Button
          type="submit"
          look="primary"
          className="justify-self-start"
          disabled={invite.isPending || name === '' || !isComplete(choice)}
        >
          {t('Create link')}
        </Button>
      </form>
    </Card>
  );
}

/** Focuses the name if the person's menu led here with `?invite`. Removes that again, so that it works twice. */
function useFocusWhenAsked() {
  const field = useRef<HTMLInputElement>(null);
  const search = useSearch();
  const [at, go] = useLocation();
  useEffect(() => {
    if (search !== 'invite') return;
    field.current?.focus();
    go(at, { replace: true });
  }, [search, at, go]);
  return field;
}
