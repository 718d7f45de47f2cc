// Notifications about a person's sessions that they are not looking at.

import type { EngineName, PersonName, SessionId, SessionNotification, TurnOutcome } from '@parley/protocol';
import type { Actor } from './access.ts';

/** The session of a notification. */
export interface ActiveSession {
  readonly id: SessionId;
  readonly engine: EngineName;
  readonly assistant: string;
  readonly title: string;
  /** Where the session works, if it works in a folder. */
  readonly project: string | undefined;
}

export type Activity =
  | { readonly type: 'title-changed'; readonly session: ActiveSession }
  | { readonly type: 'permission-waiting'; readonly session: ActiveSession; readonly tool: string }
  | { readonly type: 'turn-ended'; readonly session: ActiveSession; readonly outcome: TurnOutcome };

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

/** An activity as every wire names it. */
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
    case 'turn-ended':
      return { name: 'turn-ended', data: { ...data, outcome: activity.outcome } };
    default:
      return activity satisfies never;
  }
}
