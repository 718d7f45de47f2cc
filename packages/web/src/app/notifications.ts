// Tells people who are looking elsewhere that something is done or needs them: with a number in the tab's title, and
// with a browser notification if they allowed it. On another page of the app, they see a notice.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { address, client } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { deviceState } from '../push/device.ts';
import { showNotice } from '../ui/notice.tsx';
import { type NotificationText, notificationText } from './notification-text.ts';
import { setUnseen } from './page-title.ts';

let unseen = 0;
/** Important enough to show on other pages of the app. */
const needed: ReadonlySet<string> = new Set(['permission-waiting', 'mentioned']);

/** Follows the person's sessions while the page is open. */
export function useNotifications(go: (path: string) => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      for await (const { name, data } of client.notifications(leaving.signal)) {
        void queries.invalidateQueries({ queryKey: ['code-sessions'] });
        void queries.invalidateQueries({ queryKey: ['sessions'] });
        const notice = notificationText(name, data);
        if (!notice) continue;
        if (!isLooking()) show(notice);
        else if (needed.has(name) && !isOpen(notice)) {
          showNotice(`${notice.title}: ${notice.body}`, { name: t('Open'), run: () => go(notice.path) });
        }
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
  }, [queries, go]);
}

function isLooking(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

/** Whether the page it links to is open. */
function isOpen({ path }: NotificationText): boolean {
  return location.href.startsWith(new URL(address(path), document.baseURI).href);
}

function show({ path, ...notice }: NotificationText): void {
  unseen += 1;
  setUnseen(unseen);
  // A browser that gets push messages shows its own notification.
  if (!('Notification' in window) || Notification.permission !== 'granted' || deviceState() === 'on') return;
  notify(notice)?.addEventListener('click', () => {
    window.focus();
    location.assign(address(path));
  });
}

/** On phones, this can throw even though the permission is granted. */
function notify({ title, body, tag }: Omit<NotificationText, 'path'>): Notification | undefined {
  try {
    return new Notification(title, { tag, body });
  } catch {
    return undefined;
  }
}
