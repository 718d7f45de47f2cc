// Notifications that reach a device while no page is open.
import { z } from 'zod';
import { SessionId } from './ids.ts';

/** What a notification is about. */
export const PushKind = z.enum(['needs-you', 'done', 'failed', 'mention']);
export type PushKind = z.infer<typeof PushKind>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 22:00.');

/** No notifications between these times of day. It may span midnight. */
export const QuietHours = z.object({
  from: timeOfDay,
  to: timeOfDay,
  timeZone: z.string().max(64).refine(isTimeZone, 'Use a time zone such as Europe/Berlin.'),
});
export type QuietHours = z.infer<typeof QuietHours>;

export const PushChoices = z.object({
  kinds: z.array(PushKind).max(PushKind.options.length),
  quiet: QuietHours.nullable(),
});
export type PushChoices = z.infer<typeof PushChoices>;

export const PushSettings = PushChoices.extend({
  /** Sessions that the person wants no notifications about. */
  muted: z.array(SessionId),
});
export type PushSettings = z.infer<typeof PushSettings>;

export const PushState = z.object({
  /** The server's key, which a browser subscribes with. */
  publicKey: z.string(),
  settings: PushSettings,
});
export type PushState = z.infer<typeof PushState>;

export const PushLanguage = z.enum(['en', 'de']);
export type PushLanguage = z.infer<typeof PushLanguage>;

/** What the service worker of a device gets. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** A later notification with the same tag replaces it. */
  readonly tag: string;
  /** The page to open. */
  readonly path: string;
  /** Absent if it takes more than Allow or Deny to answer. */
  readonly decision?: {
    readonly token: string;
    readonly allow: string;
    readonly deny: string;
    /** What to say if it had no effect. */
    readonly late: string;
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
