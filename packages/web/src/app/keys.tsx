// Shows the keys of a shortcut as printed on the keyboard, and the dialog that lists all shortcuts.
import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useActiveShortcuts } from './shortcuts.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Keys({ of }: { of: string }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {partsOf(of).map((part, index) => (
        <kbd
          key={index}
          className={
            part === 'then'
              ? 'px-0.5 font-sans text-faint text-xs'
              : 'min-w-6 rounded-md border border-line bg-sunken px-1.5 py-0.5 text-center font-mono text-xs'
          }
        >
          {nameOf(part)}
        </kbd>
      ))}
    </span>
  );
}

/** The shortcut on the button that does the same, if there is room for it. */
export function KeysOnButton({ of }: { of: string }): ReactNode {
  return (
    <kbd className="hidden rounded border border-current/30 px-1 font-mono text-[0.7rem] @md:inline">
      {partsOf(of).map(nameOf).join('+')}
    </kbd>
  );
}

function partsOf(keys: string): readonly string[] {
  return keys.split(/(?<=.)\+|\s/);
}

function nameOf(part: string): string {
  if (part === 'then') return t('then');
  if (part === 'Shift') return t('Shift');
  if (part === 'Alt') return isMac ? '⌥' : t('Alt');
  if (part !== 'Mod') return part;
  return isMac ? '⌘' : t('Ctrl');
}

/** Lists the shortcuts that work at the moment. */
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
