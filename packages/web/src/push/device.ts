// Notifications in this browser while no page is open: subscribes it to its push service, and tells the server.
import type { PushState } from '@parley/protocol';
import { useSyncExternalStore } from 'react';
import { get, send } from '../client.ts';
import { serverLanguage } from '../i18n/server-text.ts';

/** `pages`: the browser notifies only while a page is open. Undefined: it can't notify at all. */
export type DeviceState = 'on' | 'off' | 'blocked' | 'pages' | undefined;

/** Who turned notifications on in this browser. */
const notified = 'parley.notified';
const listeners = new Set<() => void>();
let isSubscribed = false;

export function useDeviceState(): DeviceState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => deviceState(),
  );
}

export function deviceState(): DeviceState {
  if (!('Notification' in window)) return undefined;
  if (Notification.permission === 'denied') return 'blocked';
  if (!canPush()) return Notification.permission === 'granted' ? 'pages' : 'off';
  return Notification.permission === 'granted' && isSubscribed ? 'on' : 'off';
}

/** Asks for permission first, unless the person has already answered. */
export async function turnOn(person: string): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission === 'granted' && canPush()) {
    await subscribe();
    localStorage.setItem(notified, person);
  }
  changed();
}

export async function turnOff(): Promise<void> {
  const subscription = await current();
  if (subscription) {
    await send('DELETE', '/api/push/device', { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  localStorage.removeItem(notified);
  isSubscribed = false;
  changed();
}

/** Call it when the person is known: their login or language may be new. Does nothing for others who use this browser. */
export async function renew(person: string): Promise<void> {
  if (!canPush() || localStorage.getItem(notified) !== person) return;
  if (Notification.permission !== 'granted' || !(await current())) return;
  await subscribe();
  changed();
}

async function subscribe(): Promise<void> {
  const { publicKey } = await get<PushState>('/api/push');
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // A subscription for another key, such as that of a server that was set up again, would never work.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  await send('PUT', '/api/push/device', { endpoint, keys, language: serverLanguage() });
  isSubscribed = true;
}

function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && !import.meta.env.DEV;
}

async function current(): Promise<PushSubscription | null> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription() ?? null;
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function changed(): void {
  for (const listener of listeners) listener();
}
