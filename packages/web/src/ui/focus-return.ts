// Returns the focus to where it was before something opened over the page. The library does this only for what its own
// buttons opened.
import { useRef } from 'react';

/** Returns the handler for closing. `then` runs after the focus is back, and may move it. */
export function useFocusReturn(isOpen: boolean, then?: () => void): (event: Event) => void {
  const wasOpen = useRef(false);
  const before = useRef<Element>(null);
  // While rendering, because a field inside may take the focus as soon as it is mounted.
  if (isOpen && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = isOpen;
  return (event) => {
    event.preventDefault();
    if (before.current instanceof HTMLElement) before.current.focus();
    then?.();
  };
}
