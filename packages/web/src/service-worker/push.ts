// Notifications while no page is open: shows them, opens their page, and answers a permission from one.
import type { PushMessage } from '@parley/protocol';
import { base, type NotificationEvent, type PushEvent, scope, type WindowClient } from './scope.ts';

const icon = new URL('icon-192.png', base).href;

/** Browsers require a notification for each message, so one that can't be read still says where it came from. */
export async function showPush({ data }: PushEvent): Promise<void> {
  const message = read(data);
  if (message && (await isLookedAt(message.path))) return;
  const decision = message?.decision;
  await scope.registration.showNotification(message?.title ?? 'Parley', {
    body: message?.body ?? '',
    ...(message && { tag: message.tag, renotify: true }),
    icon,
    badge: icon,
    data: message,
    // A question stays until somebody answers it.
    requireInteraction: decision !== undefined,
    ...(decision && {
      actions: [
        { action: 'allow', title: decision.allow },
        { action: 'deny', title: decision.deny },
      ],
    }),
  });
}

export async function openNotification({ action, notification }: NotificationEvent): Promise<void> {
  notification.close();
  const message = notification.data as PushMessage | undefined;
  if (message?.decision && (action === 'allow' || action === 'deny')) return decide(message, action);
  return open(message?.path ?? '');
}

async function decide(message: PushMessage, behavior: 'allow' | 'deny'): Promise<void> {
  const decided = await fetch(new URL('api/push/decisions', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: message.decision?.token, behavior }),
  }).then(
    async (response) => (response.ok ? ((await response.json()) as { decided: boolean }).decided : undefined),
    () => undefined,
  );
  // If the server doesn't answer, the page shows what can still be done.
  if (decided === undefined) return open(message.path);
  if (decided) return undefined;
  return scope.registration.showNotification(message.decision?.late ?? '', {
    body: message.body,
    tag: message.tag,
    icon,
    data: { ...message, decision: undefined },
  });
}

/** Reuses a window that is already open, if there is one. */
async function open(path: string): Promise<void> {
  const url = addressOf(path);
  const pages = await windows();
  const page = pages.find((one) => one.url === url) ?? pages[0];
  if (!page) return void (await scope.clients.openWindow(url));
  await page.focus();
  if (page.url !== url) await page.navigate(url);
}

/** The server checks this for all devices, but it may have changed on this one since. */
async function isLookedAt(path: string): Promise<boolean> {
  const url = addressOf(path);
  return (await windows()).some((page) => page.focused && page.url === url);
}

function windows(): Promise<readonly WindowClient[]> {
  return scope.clients.matchAll({ type: 'window' });
}

function addressOf(path: string): string {
  return new URL(path.replace(/^\/+/, ''), base).href;
}

function read(data: PushEvent['data']): PushMessage | undefined {
  try {
    return data?.json() as PushMessage | undefined;
  } catch {
    return undefined;
  }
}
