// The dialog behind `?`: the shortcuts that work now.
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';
import { useActiveShortcuts } from './shortcuts.ts';

export function ShortcutList({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const shortcuts = useActiveShortcuts();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('Keyboard shortcuts')}>
      <dl className="grid gap-2.5 text-sm">
        {shortcuts.map(({ keys, does }) => (
          <div key={`${keys}${does}`} className="flex items-center justify-between gap-6">
            <dt className="text-soft">{does}</dt>
            <dd>
              <Keys of={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
