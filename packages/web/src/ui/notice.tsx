// A sentence for a while, about something that has no place of its own on the page.
import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';

const shownMs = 8_000;

interface Told {
  readonly sentence: string;
}

const watchers = new Set<() => void>();
let told: Told | undefined;

/** Takes the place of what was told before. */
export function tell(sentence: string): void {
  show({ sentence });
}

export function Notice() {
  const shown = useSyncExternalStore(watch, () => told);
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
          <IconButton label="Close" onClick={() => show(undefined)}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}

function show(next: Told | undefined): void {
  told = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
