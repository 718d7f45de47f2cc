// Keyboard shortcuts. A page adds its own while it is shown; a dialog lists those that work now. Each has a modifier or is
// Escape, so that typing a letter never triggers one, wherever the focus is.
import { useLayoutEffect, useSyncExternalStore } from 'react';
import { createRegistry } from './registry.ts';

export interface Shortcut {
  /** Such as `Mod+K`, `Alt+N` or `Alt+G then C`. `Mod` is Command on a Mac and Control elsewhere. */
  readonly keys: `${'Mod' | 'Alt'}+${string}` | 'Escape';
  readonly does: string;
  readonly run: () => void;
}

const active = createRegistry<Shortcut>();
let pendingPrefix: string | undefined;

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // Before painting, so that a shortcut works as soon as people can see it.
  useLayoutEffect(() => active.add(shortcuts), [shortcuts]);
}

/** All shortcuts that work at the moment. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(active.subscribe, active.snapshot);
}

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || isInOverlay(event.target)) return;
  // Only a modifier so far.
  if (['Alt', 'Control', 'Meta', 'Shift'].includes(event.key)) return;
  const pressed = nameOf(event);
  const wanted = pendingPrefix ? `${pendingPrefix} then ${pressed}` : pressed;
  const all = active.snapshot();
  // The component that was mounted last wins.
  const match = all.findLast(({ keys }) => keys === wanted);
  pendingPrefix = undefined;
  if (match) {
    event.preventDefault();
    match.run();
    return;
  }
  if (all.some(({ keys }) => keys.startsWith(`${pressed} then `))) {
    event.preventDefault();
    pendingPrefix = pressed;
    setTimeout(() => {
      pendingPrefix = undefined;
    }, 1_200);
  }
});

function nameOf({ key, code, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string {
  // With Alt, a Mac reports a different character than the one on the key.
  const onKey = altKey && !/^[a-z/]$/i.test(key) ? characterOf(code, key) : key;
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

function characterOf(code: string, key: string): string {
  return code === 'Slash' ? '/' : (/^Key([A-Z])$/.exec(code)?.[1] ?? key);
}

/** Menus and dialogs have their own keys. */
function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role="menu"], [role="dialog"]') !== null;
}
