// Notifies people who are looking elsewhere that something is done or needs them: with a number in the tab's title,
// and with a browser notification if they allowed it.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { address, client } from '../client.ts';
import { type Notice, noticeFor } from './notice-text.ts';
import { setUnseen } from './page-title.ts';

let unseen = 0;

/** Follows the person's sessions while the page is open. */
export function useNotifications(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      for await (const { name, data } of client.notifications(leaving.signal)) {
        void queries.invalidateQueries({ queryKey: ['code-sessions'] });
        void queries.invalidateQueries({ queryKey: ['sessions'] });
        const notice = noticeFor(name, data);
        if (notice && !isLooking()) show(notice);
      }
    };
    follow().catch(() => undefined);
    const seen = () => {
      if (!isLooking()) return;
      unseen = 0;
      setUnseen(0);
    };
    window.addEventListener('focus', seen);
    document.addEventListener('visibilitychange', seen);
    return () => {
      leaving.abort();
      window.removeEventListener('focus', seen);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [queries]);
}

/** Whether the browser may notify. Undefined if it can't. */
export function useNotificationPermission(): NotificationPermission | undefined {
  return useSyncExternalStore(
    (listener) => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    () => ('Notification' in window ? Notification.permission : undefined),
  );
}

export async function allowNotifications(): Promise<void> {
  await Notification.requestPermission();
  for (const watcher of watchers) watcher();
}

const watchers = new Set<() => void>();

function isLooking(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function show({ path, ...notice }: Notice): void {
  unseen += 1;
  setUnseen(unseen);
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  notify(notice)?.addEventListener('click', () => {
    window.focus();
    location.assign(address(path));
  });
}

/** On phones a page may have the permission and still not be able to notify. */
function notify({ title, body, tag }: Omit<Notice, 'path'>): Notification | undefined {
  try {
    return new Notification(title, { tag, body });
  } catch {
    return undefined;
  }
}
