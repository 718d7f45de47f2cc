// Starts the app in the page.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { apply } from './app/theme.ts';
import { startFresh } from './chat/fresh-start.ts';
import { applyLanguage } from './i18n/language.tsx';
import './app/theme.css';

apply();
startFresh(new URL(document.baseURI).pathname.replace(/\/$/, ''));

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for the app.');
// Without its catalog the app is still usable, in English.
await applyLanguage().catch(() => undefined);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
