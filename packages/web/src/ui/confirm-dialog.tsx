// Asks before something that can't be undone, and shows why it failed.
import { useMutation } from '@tanstack/react-query';
import { Button } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import { ErrorNote } from './notes.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly warning: string;
  /** The button's text. */
  readonly action: string;
  readonly disabled?: boolean;
  readonly run: () => Promise<unknown>;
  readonly onDone?: () => void;
}

export function ConfirmDialog({
  open,
  onClose,
  ...rest
}: ConfirmProps & { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={rest.title} description={rest.warning}>
      <Confirmation {...rest} onClose={onClose} />
    </Dialog>
  );
}

function Confirmation({
  action,
  disabled = false,
  run,
  onDone,
  onClose,
}: Omit<ConfirmProps, 'title' | 'warning'> & { onClose: () => void }) {
  const confirmed = useMutation({
    mutationFn: run,
    onSuccess: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <div className="grid gap-3">
      {confirmed.isError && <ErrorNote error={confirmed.error} />}
      <DialogButtons onCancel={onClose}>
        <Button look="danger" disabled={disabled || confirmed.isPending} onClick={() => confirmed.mutate()}>
          {action}
        </Button>
      </DialogButtons>
    </div>
  );
}
