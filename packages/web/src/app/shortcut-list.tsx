// The dialog behind `?`: which keys work now.
import { Dialog } from '../ui/dialog.tsx';
import { useActiveShortcuts } from './shortcuts.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function ShortcutList({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const shortcuts = useActiveShortcuts();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="grid gap-2.5 text-sm">
        {shortcuts.map(({ keys, does }) => (
          <div key={`${keys}${does}`} className="flex items-center justify-between gap-6">
            <dt className="text-soft">{does}</dt>
            <dd className="flex gap-1">
              {keys.split(/(?<=.)\+|\s/).map((part, index) => (
                <kbd
                  key={index}
                  className={
                    part === 'then'
                      ? 'px-1 text-faint text-xs'
                      : 'rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs'
                  }
                >
                  {part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
