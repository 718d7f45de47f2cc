// The tab's title: the page, the number of unseen notifications, and whether a session needs the person.
import { useEffect } from 'react';
import { t } from '../i18n/translate.ts';

let name = '';
let unseen = 0;
let isNeeded = false;

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

export function setNeeded(needed: boolean): void {
  isNeeded = needed;
  show();
}

function show(): void {
  const parts = [isNeeded && t('Needs you'), name, 'Parley'].filter(Boolean).join(' · ');
  document.title = `${unseen > 0 ? `(${unseen}) ` : ''}${parts}`;
}
