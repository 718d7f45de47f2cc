// Keys that work everywhere. A page adds its own while it is shown; `?` lists those that work now.
import { useEffect, useLayoutEffect, useState } from 'react';

export interface Shortcut {
  /** As it is written for people: `Mod+K`, `?`, `G then C`. `Mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
  /** Also while one writes. */
  readonly inFields?: boolean;
}

const active = new Set<readonly Shortcut[]>();
const watchers = new Set<() => void>();
let pendingPrefix: string | undefined;

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // Not after the drawing: a key that one can read of works at once.
  useLayoutEffect(() => {
    active.add(shortcuts);
    notify();
    return () => {
      active.delete(shortcuts);
      notify();
    };
  }, [shortcuts]);
}

/** All that work at the moment. */
export function useActiveShortcuts(): readonly Shortcut[] {
  const [all, setAll] = useState(() => [...active].flat());
  useEffect(() => {
    const update = () => setAll([...active].flat());
    watchers.add(update);
    update();
    return () => {
      watchers.delete(update);
    };
  }, []);
  return all;
}

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const writing = isField(event.target);
  const pressed = nameOf(event);
  const wanted = pendingPrefix ? `${pendingPrefix} then ${pressed}` : pressed;
  const all = [...active].toReversed().flat();
  const match = all.find(({ keys, inFields }) => keys === wanted && (inFields || !writing));
  pendingPrefix = undefined;
  if (match) {
    event.preventDefault();
    match.run();
    return;
  }
  if (!writing && all.some(({ keys }) => keys.startsWith(`${pressed} then `))) {
    pendingPrefix = pressed;
    setTimeout(() => {
      pendingPrefix = undefined;
    }, 1_200);
  }
});

function nameOf({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string {
  const letter = key.length === 1 ? key.toUpperCase() : key;
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

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

function notify(): void {
  for (const watcher of watchers) watcher();
}
