// The app without a network: registers the service worker, which keeps the app and what the person has read.
import { address, client } from '../client.ts';

/**
 * Only for pages from HTTPS or from this machine: browsers allow it nowhere else. `refresh` is called when the service
 * worker takes over a page that was there before it, and so has not seen what the page shows.
 */
export function keepApp(refresh: () => void): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  if (!workers.controller) workers.addEventListener('controllerchange', refresh, { once: true });
  workers.register(address('service-worker.js')).catch(() => undefined);
}

/** As much as a page shows at first. */
const pageSize = 200;

/** Asks for all of it, because the service worker doesn't see what comes over the live connection. */
export function keepConversation(id: string): void {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return;
  const { sessions } = client;
  Promise.all([sessions.get(id), sessions.past(id, { limit: pageSize, whole: true })]).catch(() => undefined);
}
