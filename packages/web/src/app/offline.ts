// Offline use: registers the service worker, which stores the app and what the person has read.
import { address, client } from '../client.ts';

/**
 * Works only over HTTPS or on localhost; browsers allow it nowhere else. Calls `refresh` when the service worker takes
 * over a page that loaded before it, because it hasn't seen what that page shows.
 */
export function registerServiceWorker(refresh: () => void): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  if (!workers.controller) workers.addEventListener('controllerchange', refresh, { once: true });
  workers.register(address('service-worker.js')).catch(() => undefined);
  // It takes over open pages when it starts, but not one that is loading at that moment.
  void workers.ready.then(({ active }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have it
    if (!workers.controller) active?.postMessage('take over');
  });
}

/** As many messages as a page loads first. */
const pageSize = 200;

/** Fetches the conversation again, because the service worker doesn't see what arrives over the live connection. */
export function cacheConversation(id: string): void {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return;
  const { sessions } = client;
  Promise.all([sessions.get(id), sessions.past(id, { limit: pageSize, whole: true })]).catch(() => undefined);
}
