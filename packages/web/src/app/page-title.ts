// The title of the tab: the page, and the number of unseen notifications.
import { useEffect } from 'react';

let name = '';
let unseen = 0;

/** Applies while the calling component is mounted. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    name = title;
    show();
    return () => {
      name = '';
      show();
    };
  }, [title]);
}

export function setUnseen(count: number): void {
  unseen = count;
  show();
}

function show(): void {
  document.title = `${unseen > 0 ? `(${unseen}) ` : ''}${name === '' ? '' : `${name} · `}Parley`;
}
