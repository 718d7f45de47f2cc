// One person: what they may do, how they log in, and what an owner can change about that.
import type { PersonInfo } from '@parley/protocol';
import { Ban, CircleCheck, Link as LinkIcon, Trash2, UserCog, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useChoices } from '../../app/assistants.ts';
import { useHere } from '../../app/me.tsx';
import { PersonName } from '../../app/person-name.tsx';
import { send } from '../../client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { MenuItem, MenuLine, MoreMenu } from '../../ui/menu.tsx';
import { Badge, ErrorNote } from '../../ui/notes.tsx';
import { showNotice } from '../../ui/notice.tsx';
import { roleNames } from '../roles.ts';
import { Row } from '../rows.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { type RoleChoice, usePeopleChange } from './people-changes.ts';
import { isComplete, RoleFields } from './role-fields.tsx';

export function PersonRow(info: PersonInfo) {
  const { person, displayName, role, account, disabled } = info;
  const here = useHere();
  const isMe = person === here.person;
  const [dialog, setDialog] = useState<'role' | 'link' | 'disable' | 'remove'>();
  const close = () => setDialog(undefined);
  const path = `/api/people/${person}`;
  const change = usePeopleChange((wanted: { disabled: boolean }) => send('PATCH', path, wanted));
  const remove = usePeopleChange(() => send('DELETE', path));
  const enable = () =>
    change.mutate({ disabled: false }, { onError: (error) => showNotice(errorText(error)) });
  return (
    <Row
      icon={<UserRound size={18} aria-hidden />}
      name={<PersonName person={person} displayName={displayName} />}
      badges={
        <>
          {isMe && <Badge tone="accent">{t('you')}</Badge>}
          <Badge>{roleNames[role]()}</Badge>
          {disabled && <Badge tone="warn">{t('disabled')}</Badge>}
        </>
      }
      details={useDetails(info)}
    >
      {(account || !isMe) && (
        <MoreMenu label={t('Manage {person}', { person: displayName })}>
          {account && (
            <MenuItem onSelect={() => setDialog('role')}>
              <UserCog size={16} aria-hidden />
              {t('Change role')}
            </MenuItem>
          )}
          {!isMe && !disabled && (
            <MenuItem onSelect={() => setDialog('link')}>
              <LinkIcon size={16} aria-hidden />
              {account ? t('Reset login') : t('Give them an account')}
            </MenuItem>
          )}
          {account && (
            <>
              <MenuLine />
              {disabled && (
                <MenuItem onSelect={enable}>
                  <CircleCheck size={16} aria-hidden />
                  {t('Enable account')}
                </MenuItem>
              )}
              {!isMe && !disabled && (
                <MenuItem danger onSelect={() => setDialog('disable')}>
                  <Ban size={16} aria-hidden />
                  {t('Disable account')}
                </MenuItem>
              )}
              <MenuItem danger onSelect={() => setDialog('remove')}>
                <Trash2 size={16} aria-hidden />
                {t('Remove account')}
              </MenuItem>
            </>
          )}
        </MoreMenu>
      )}
      <Dialog
        open={dialog === 'role'}
        onOpenChange={close}
        title={t('{person}’s role', { person: displayName })}
      >
        <RoleForm {...info} onClose={close} />
      </Dialog>
      <LinkDialog
        open={dialog === 'link'}
        onClose={close}
        // The server keeps the role of an account.
        wanted={{ ...info, name: person }}
        explanation={
          account
            ? t(
                'For somebody who lost their device or forgot their password. When they use the link, their old ways to log in stop working, and so do their API keys and the keys and invitations they created.',
              )
            : t(
                'With the link, they choose their own password or passkey. From then on, the family password no longer works for them.',
              )
        }
      />
      <ConfirmDialog
        open={dialog === 'disable'}
        title={t('Disable {person}’s account?', { person: displayName })}
        warning={t(
          'They will be logged out everywhere and can’t log in until you enable their account again. Nothing of theirs is deleted.',
        )}
        action={t('Disable account')}
        run={() => change.mutateAsync({ disabled: true })}
        onClose={close}
      />
      <ConfirmDialog
        open={dialog === 'remove'}
        title={t('Remove {person}’s account?', { person: displayName })}
        warning={t(
          'They will be logged out everywhere. Their notes and sessions will stay. If the configuration lists them, the family password will work for them again.',
        )}
        action={t('Remove account')}
        run={() => remove.mutateAsync(undefined)}
        onClose={close}
      />
    </Row>
  );
}

function useDetails({ person, displayName, account, role, assistants }: PersonInfo): readonly string[] {
  const { assistants: known } = useChoices();
  const labelOf = (name: string) => known.find((one) => one.name === name)?.label ?? name;
  return [
    ...(displayName === person ? [] : [t('logs in as {person}', { person })]),
    account ? t('own account') : t('family password'),
    ...(role === 'guest' ? [assistants.map(labelOf).join(', ')] : []),
  ];
}

function RoleForm({ person, role, assistants, onClose }: PersonInfo & { onClose: () => void }) {
  const saving = usePeopleChange((wanted: RoleChoice) => send('PATCH', `/api/people/${person}`, wanted));
  const [choice, setChoice] = useState<RoleChoice>({ role, assistants });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(choice, { onSuccess: onClose });
      }}
    >
      <RoleFields {...choice} onChange={setChoice} />
      {saving.isError && <ErrorNote error={saving.error} />}
      <DialogButtons onCancel={onClose}>
        <Button look="primary" type="submit" disabled={saving.isPending || !isComplete(choice)}>
          {t('Save')}
        </Button>
      </DialogButtons>
    </form>
  );
}
