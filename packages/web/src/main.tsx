// Starts the app in the page.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, pageLoaded, refresh } from './app/app.tsx';
import { registerServiceWorker } from './app/offline.ts';
import { apply } from './app/theme.ts';
import { keepClientErrors } from './help/client-errors.ts';
import { applyLanguage } from './i18n/language.tsx';
import './app/theme.css';

keepClientErrors(window);
apply();
startFresh();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for the app.');
// Without its catalog the app is still usable, in English.
await Promise.all([applyLanguage().catch(() => undefined), pageLoaded]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
registerServiceWorker(refresh);

/** A reload starts a new chat; the open one stays in the list. Links to a chat, such as from a notification, still work. */
function startFresh(): void {
  const base = new URL(document.baseURI).pathname.replace(/\/$/, '');
  const [load] = performance.getEntriesByType('navigation');
  const isReload = load instanceof PerformanceNavigationTiming && load.type === 'reload';
  if (isReload && location.pathname.startsWith(`${base}/chat/`)) history.replaceState(null, '', `${base}/`);
}
