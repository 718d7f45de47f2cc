// Light or dark: what the person chose, otherwise what the system prefers.
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const key = 'parley.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme);
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
  for (const listener of listeners) listener();
}

function theme(): Theme {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener('change', apply);
