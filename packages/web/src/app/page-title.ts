// The title of the tab: what is shown, and how much happened elsewhere meanwhile.
import { useEffect } from 'react';

let name = '';
let unseen = 0;

/** As long as the part that says so is shown. */
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
