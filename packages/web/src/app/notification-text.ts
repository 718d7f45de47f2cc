// What a notification says.
import type { SessionNotification } from '@parley/protocol';
import { t } from '../i18n/translate.ts';

export interface NotificationText {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

/** Undefined for events that only refresh what is shown. */
export function notificationText(name: string, event: SessionNotification): NotificationText | undefined {
  const project = event.project === null ? '' : ` · ${event.project.split('/').at(-1)}`;
  const about = {
    tag: event.session_id,
    path: event.path,
    body: `${event.title || t('Untitled conversation')}${project}`,
  };
  switch (name) {
    case 'permission-waiting':
      return {
        ...about,
        title: event.tool
          ? t('{tool} needs your permission', { tool: event.tool })
          : t('Claude needs your permission'),
      };
    case 'mentioned':
      return { ...about, title: t('{name} mentioned you', { name: event.by ?? '' }) };
    case 'turn-ended':
      return { ...about, title: endings[event.outcome ?? 'completed']() };
    default:
      return undefined;
  }
}

const endings = { completed: () => t('Done'), failed: () => t('Failed'), interrupted: () => t('Stopped') };
