// Light or dark: what the person chose, otherwise what the system prefers.
import { Value } from '@parley/client';
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const key = 'parley.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const shown = new Value<Theme>('light');

export function useTheme(): Theme {
  return useSyncExternalStore(shown.subscribe, shown.snapshot);
}

export function toggleTheme(): void {
  localStorage.setItem(key, theme() === 'dark' ? 'light' : 'dark');
  apply();
}

/** Call this before the first paint. */
export function apply(): void {
  const { documentElement: root } = document;
  root.dataset['theme'] = theme();
  // The browser's own bars continue the page's header.
  const header = getComputedStyle(root).getPropertyValue('--raised');
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', header);
  shown.set(theme());
}

function theme(): Theme {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

system.addEventListener('change', apply);
