// Tells the person what needs them or is done, while they look elsewhere: a number in the title of the tab, and a
// notification of the browser where they allowed it.
import type { SessionNotification } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { followStream } from '../api/event-stream.ts';
import { address } from '../api/http.ts';
import { setUnseen } from './page-title.ts';

let unseen = 0;

/** Follows what happens in the person's sessions, as long as the page is open. */
export function useNotifications(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    followStream('/api/notifications', {
      signal: leaving.signal,
      onEvent: ({ name, data }) => {
        void queries.invalidateQueries({ queryKey: ['code-sessions'] });
        void queries.invalidateQueries({ queryKey: ['sessions'] });
        const words = wordsFor(name, JSON.parse(data) as SessionNotification);
        if (words && !isLooking()) tell(words);
      },
    }).catch(() => undefined);
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

interface Words {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

/** Nothing for events that only refresh what is shown. */
export function wordsFor(name: string, notice: SessionNotification): Words | undefined {
  const where = notice.project === null ? '' : ` · ${notice.project.split('/').at(-1)}`;
  const about = {
    tag: notice.session_id,
    path: notice.path,
    body: `${notice.title || 'A conversation'}${where}`,
  };
  switch (name) {
    case 'permission-waiting':
      return { ...about, title: `Needs you: ${notice.tool ?? 'a tool'} waits for permission` };
    case 'turn-ended':
      return { ...about, title: endings[notice.outcome ?? 'completed'] };
    default:
      return undefined;
  }
}

const endings = { completed: 'Done', failed: 'Did not work', interrupted: 'Stopped' } as const;

/** Whether the browser may notify; undefined where it cannot. */
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

function tell({ path, ...words }: Words): void {
  unseen += 1;
  setUnseen(unseen);
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  notify(words)?.addEventListener('click', () => {
    window.focus();
    location.assign(address(path));
  });
}

/** Phones have the permission and yet refuse pages to do it. */
function notify({ title, body, tag }: Omit<Words, 'path'>): Notification | undefined {
  try {
    return new Notification(title, { tag, body });
  } catch {
    return undefined;
  }
}
