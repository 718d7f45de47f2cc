// A link for one person: explains it first, then creates and shows it.
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { type RoleChoice, useInvite } from './people-changes.ts';

interface LinkProps {
  readonly wanted: RoleChoice & { readonly name: string };
  readonly explanation: string;
  readonly onClose: () => void;
}

export function LinkDialog({ open, ...link }: LinkProps & { open: boolean }) {
  return (
    <Dialog
      open={open}
      onOpenChange={link.onClose}
      title={t('Link for {person}', { person: link.wanted.name })}
    >
      <NewLink {...link} />
    </Dialog>
  );
}

function NewLink({ wanted, explanation, onClose }: LinkProps) {
  const invite = useInvite();
  if (invite.data)
    return (
      <InvitationLink invitation={invite.data}>
        <Button look="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </InvitationLink>
    );
  return (
    <div className="grid gap-4">
      <p className="text-soft text-sm leading-relaxed">{explanation}</p>
      {invite.isError && <ErrorNote error={invite.error} />}
      <DialogButtons onCancel={onClose}>
        <Button look="primary" disabled={invite.isPending} onClick={() => invite.mutate(wanted)}>
          {t('Create link')}
        </Button>
      </DialogButtons>
    </div>
  );
}
