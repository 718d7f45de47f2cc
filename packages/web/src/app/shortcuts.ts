// Keyboard shortcuts. A page adds its own while it is shown; `?` lists those that work now.
import { useLayoutEffect, useSyncExternalStore } from 'react';
import { createRegistry } from './registry.ts';

export interface Shortcut {
  /** Such as `Mod+K`, `?` or `G then C`. `Mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
  /** Whether it also works in text fields; `empty`: only in the composer, while it is empty. */
  readonly inFields?: boolean | 'empty' | undefined;
}

const active = createRegistry<Shortcut>();
let pendingPrefix: string | undefined;

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // Before painting, so that a shortcut works as soon as it can be read.
  useLayoutEffect(() => active.add(shortcuts), [shortcuts]);
}

/** All shortcuts that work at the moment. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(active.subscribe, active.snapshot);
}

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const place = placeOf(event.target);
  const pressed = nameOf(event);
  const wanted = pendingPrefix ? `${pendingPrefix} then ${pressed}` : pressed;
  const all = active.snapshot();
  // What was shown last comes first.
  const match = all.findLast(({ keys, inFields = false }) => keys === wanted && worksIn[place](inFields));
  pendingPrefix = undefined;
  if (match) {
    event.preventDefault();
    match.run();
    return;
  }
  if (place === 'page' && all.some(({ keys }) => keys.startsWith(`${pressed} then `))) {
    pendingPrefix = pressed;
    setTimeout(() => {
      pendingPrefix = undefined;
    }, 1_200);
  }
});

function nameOf({ key, code, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string {
  // With Alt, a Mac reports another letter than the one on the key.
  const onKey = altKey && !/^[a-z]$/i.test(key) ? (/^Key([A-Z])$/.exec(code)?.[1] ?? key) : key;
  const letter = onKey.length === 1 ? onKey.toUpperCase() : onKey;
  const isLetter = /^[A-Z]$/.test(letter);
  return [
    (metaKey || ctrlKey) && 'Mod',
    altKey && 'Alt',
    shiftKey && (isLetter || key.length > 1) && 'Shift',
    letter,
  ]
    .filter(Boolean)
    .join('+');
}

type Place = 'page' | 'field' | 'empty-message' | 'overlay';

const worksIn: Record<Place, (inFields: NonNullable<Shortcut['inFields']>) => boolean> = {
  page: () => true,
  'empty-message': (inFields) => inFields !== false,
  field: (inFields) => inFields === true,
  // Menus and dialogs have their own keys.
  overlay: (inFields) => inFields === true,
};

function placeOf(target: EventTarget | null): Place {
  if (!(target instanceof HTMLElement)) return 'page';
  if (target.closest('[role="menu"], [role="dialog"]')) return 'overlay';
  if (target instanceof HTMLTextAreaElement && target.id === 'composer' && target.value === '')
    return 'empty-message';
  const isField = target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
  return isField ? 'field' : 'page';
}
