// Gives the focus back where it was before something opened over the page. The library does so only for what was
// opened by a button of its own.
import { useRef } from 'react';

/** What to do when it has closed; `then` comes after the focus is back, and may move it. */
export function useFocusReturn(isOpen: boolean, then?: () => void): (event: Event) => void {
  const wasOpen = useRef(false);
  const before = useRef<Element>(null);
  // Asked while it is drawn: a field inside may have the focus as soon as it is there.
  if (isOpen && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = isOpen;
  return (event) => {
    event.preventDefault();
    if (before.current instanceof HTMLElement) before.current.focus();
    then?.();
  };
}
