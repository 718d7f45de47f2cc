// A sentence that is shown for a few seconds, for things that have no place of their own on the page.
import { Value } from '@parley/client';
import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';

const shownMs = 8_000;

/** An object, so that the same sentence twice starts its time again. */
const current = new Value<{ readonly sentence: string } | undefined>(undefined);
const close = () => current.set(undefined);

/** Replaces the notice before it. */
export function showNotice(sentence: string): void {
  current.set({ sentence });
}

export function Notice() {
  const shown = useSyncExternalStore(current.subscribe, current.snapshot);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(close, shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div
      role="status"
      className="-translate-x-1/2 fixed top-16 left-1/2 z-60 w-max max-w-[90vw] print:hidden"
    >
      {shown && (
        <div className="flex items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-4 text-sm shadow-lg">
          <p>{shown.sentence}</p>
          <IconButton label={t('Close')} onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}
