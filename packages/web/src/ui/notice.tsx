// A sentence that is shown for a few seconds, for things that have no fixed place on the page.
import { ObservableValue } from '@parley/client';
import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import { Button, IconButton } from './button.tsx';

const shownMs = 8_000;

export interface Action {
  readonly name: string;
  readonly run: () => void;
}

/** An object, so that showing the same sentence again restarts its time. */
const current = new ObservableValue<
  { readonly sentence: string; readonly action?: Action; readonly ms: number } | undefined
>(undefined);
const close = () => current.set(undefined);

/** Replaces the previous notice. `ms` is how long it is shown, if its action is possible only that long. */
export function showNotice(sentence: string, action?: Action, ms = shownMs): void {
  current.set({ sentence, ...(action && { action }), ms });
}

export function Notice() {
  const shown = useSyncExternalStore(current.subscribe, current.snapshot);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(close, shown.ms);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div
      role="status"
      className="-translate-x-1/2 fixed top-16 left-1/2 z-60 w-max max-w-[90vw] print:hidden"
    >
      {shown && (
        <div className="flex items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-4 text-sm shadow-lg">
          <p className="min-w-0 break-words">{shown.sentence}</p>
          {shown.action && <ActionButton action={shown.action} />}
          <IconButton label={t('Close')} onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}

function ActionButton({ action: { name, run } }: { action: Action }) {
  return (
    <Button
      className="min-h-8"
      onClick={() => {
        close();
        run();
      }}
    >
      {name}
    </Button>
  );
}
