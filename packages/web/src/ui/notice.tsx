// A sentence that is shown for a few seconds, for things that have no place of their own on the page.
import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';

const shownMs = 8_000;

const watchers = new Set<() => void>();
/** An object, so that the same sentence twice starts its time again. */
let current: { readonly sentence: string } | undefined;

/** Replaces the notice before it. */
export function showNotice(sentence: string): void {
  show({ sentence });
}

export function Notice() {
  const shown = useSyncExternalStore(watch, () => current);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => show(undefined), shownMs);
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
          <IconButton label={t('Close')} onClick={() => show(undefined)}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}

function show(next: typeof current): void {
  current = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
