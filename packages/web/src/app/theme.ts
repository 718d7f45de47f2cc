// Light or dark: what the person chose, otherwise what the system prefers.
import { ObservableValue } from '@parley/client';
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const key = 'parley.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const shown = new ObservableValue<Theme>('light');
const chosen = new ObservableValue<Theme | undefined>(stored());

export function useTheme(): Theme {
  return useSyncExternalStore(shown.subscribe, shown.snapshot);
}

/** Undefined while it follows the system. */
export function useChosenTheme(): Theme | undefined {
  return useSyncExternalStore(chosen.subscribe, chosen.snapshot);
}

export function toggleTheme(): void {
  chooseTheme(theme() === 'dark' ? 'light' : 'dark');
}

export function chooseTheme(wanted: Theme | undefined): void {
  if (wanted === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, wanted);
  chosen.set(wanted);
  apply();
}

/** Call this before the first paint. */
export function apply(): void {
  const { documentElement: root } = document;
  root.dataset['theme'] = theme();
  // The browser's own bars match the page's header.
  const header = getComputedStyle(root).getPropertyValue('--raised');
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', header);
  shown.set(theme());
}

function theme(): Theme {
  return stored() ?? (system.matches ? 'dark' : 'light');
}

function stored(): Theme | undefined {
  const theme = localStorage.getItem(key);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

system.addEventListener('change', apply);
