// The service worker: opens the app without a network, shows what a person has read before, and shows notifications.
import { helpFor, isHelp } from './help.ts';
import { answerTo, changesKept, forget, isKept } from './kept-answers.ts';
import { openNotification, showPush } from './push.ts';
import { pathOf, scope } from './scope.ts';
import { assetFor, dropOldShells, isPage, keepShell, pageFor } from './shell.ts';

scope.addEventListener('install', (event) => {
  // Takes over at once: open pages still find the files of their own version.
  event.waitUntil(keepShell().then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(dropOldShells().then(() => scope.clients.claim()));
});

/** A page that it has missed asks for it. */
scope.addEventListener('message', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (path === undefined) return;
  const change = changesKept(request.method, path);
  if (change) event.waitUntil(change());
  if (request.method !== 'GET') return;
  if (isHelp(path)) {
    event.respondWith(helpFor(request, (work) => event.waitUntil(work)));
    return;
  }
  if (request.mode === 'navigate') {
    if (isPage(path))
      event.respondWith(
        pageFor(request, ({ status }) => {
          if (status === 401) event.waitUntil(forget());
        }),
      );
    return;
  }
  if (path.startsWith('assets/')) event.respondWith(assetFor(request));
  else if (isKept(request, path)) event.respondWith(answerTo(request, path, (work) => event.waitUntil(work)));
});

scope.addEventListener('push', (event) => event.waitUntil(showPush(event)));
scope.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)));
