// Notifications about sessions that a person is not looking at.

import {
  EngineName,
  PermissionId,
  PersonName,
  SessionId,
  type SessionNotification,
  TurnOutcome,
} from '@parley/protocol';
import { z } from 'zod';
import type { Actor } from './access.ts';

/** The session of a notification. */
export const ActiveSession = z.object({
  id: SessionId,
  engine: EngineName,
  assistant: z.string(),
  title: z.string(),
  /** Where the session works, if it works in a folder. */
  project: z.string().optional(),
});
export type ActiveSession = z.infer<typeof ActiveSession>;

export const Activity = z.discriminatedUnion('type', [
  z.object({ type: z.literal('title-changed'), session: ActiveSession }),
  z.object({
    type: z.literal('permission-waiting'),
    session: ActiveSession,
    tool: z.string(),
    permission: PermissionId,
    /** Whether it only has to be allowed or denied. */
    isPlain: z.boolean(),
  }),
  /** Somebody wrote the person's name in a session that both see. */
  z.object({ type: z.literal('mentioned'), session: ActiveSession, by: PersonName }),
  z.object({ type: z.literal('turn-ended'), session: ActiveSession, outcome: TurnOutcome }),
]);
export type Activity = z.infer<typeof Activity>;

export interface NumberedActivity {
  readonly number: number;
  readonly activity: Activity;
}

export interface ActivityFeed {
  /** The number of the newest activity. */
  lastNumber(person: PersonName): number;
  /**
   * Activities in sessions that the actor may see: those after the given number that are still in memory, then new ones.
   * Ends when the signal aborts. A slow reader misses some: these are notifications, not a record.
   */
  subscribe(
    actor: Actor,
    options: { readonly after?: number; readonly signal: AbortSignal },
  ): AsyncIterable<NumberedActivity>;
}

export interface ActivityObserver {
  /** Must neither throw nor wait. */
  noticed(person: PersonName, activity: Activity): void;
}

/** A page that shows a session. */
export const WatchingPage = z.object({ person: PersonName, isVisible: z.boolean() });
export type WatchingPage = z.infer<typeof WatchingPage>;

const WatchedSession = z.object({ session: SessionId, pages: z.array(WatchingPage) });

/** What servers tell each other: a new activity, that somebody listens for a person, or which pages show what. */
export const ActivityNews = z.discriminatedUnion('type', [
  z.object({ type: z.literal('noticed'), person: PersonName, number: z.number(), activity: Activity }),
  z.object({ type: z.literal('listening'), person: PersonName }),
  z.object({
    type: z.literal('watching'),
    server: z.string(),
    sessions: z.array(WatchedSession),
    /** Whether these are all the sessions that the server's pages show. */
    isAll: z.boolean(),
  }),
]);
export type ActivityNews = z.infer<typeof ActivityNews>;

/** Connects this server's activity log with those of the other servers. */
export interface ActivityRelay {
  /** Must neither throw nor wait. */
  publish(news: ActivityNews): void;
  /** Tells the others that somebody listens here, until the returned function is called. */
  listening(person: PersonName): () => void;
  /** Tells the others which pages show the session here, and repeats it from time to time while there are any. */
  watching(session: SessionId, pages: readonly WatchingPage[]): void;
  /** Calls the listener with everything that the others publish. */
  onNews(listener: (news: ActivityNews) => void): void;
}

/** Where servers leave news for each other, for a few minutes. */
export interface ActivityStore {
  add(server: string, news: readonly ActivityNews[]): Promise<void>;
  /** What other servers have added after a position, or recently. May return some of it again. */
  after(server: string, position: number | undefined): Promise<readonly StoredNews[]>;
  forgetOld(): Promise<void>;
}

export interface StoredNews {
  readonly position: number;
  readonly news: ActivityNews;
}

/** An activity as it looks on every wire. */
export function toNotification(activity: Activity): { name: string; data: SessionNotification } {
  const { id, engine, title, project } = activity.session;
  const data: SessionNotification = {
    session_id: id,
    title,
    project: project ?? null,
    path: engine === 'claude-code' ? `/code/${id}` : `/chat/${id}`,
  };
  switch (activity.type) {
    case 'title-changed':
      return { name: 'claude-session-updated', data };
    case 'permission-waiting':
      return { name: 'permission-waiting', data: { ...data, tool: activity.tool } };
    case 'mentioned':
      return { name: 'mentioned', data: { ...data, by: activity.by } };
    case 'turn-ended':
      return { name: 'turn-ended', data: { ...data, outcome: activity.outcome } };
    default:
      return activity satisfies never;
  }
}
