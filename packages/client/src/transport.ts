// How events reach the client. There are two ways: one WebSocket for everything, or event streams.
import type { Envelope, Seq, SessionId, SessionNotification } from '@parley/protocol';
import { ApiError } from './http.ts';
import type { Observable } from './observable.ts';

/** `lost` until the connection is back; `connecting` only before the first one. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

/** How many pages show a session, and how many of them are visible. */
export interface Presence {
  readonly pages: number;
  readonly visible: number;
}

export interface Notification {
  readonly name: string;
  readonly data: SessionNotification;
}

export interface FollowOptions {
  /** Events after this number; without it, only new ones. */
  readonly after: Seq | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (envelope: Envelope) => void;
  readonly onPresence?: (presence: Presence) => void;
  /** The session cannot do its work, for example because its program does not start. Events may still come. */
  readonly onProblem?: (problem: ApiError) => void;
}

export interface NotificationOptions {
  readonly signal: AbortSignal;
  readonly onNotification: (notification: Notification) => void;
}

export interface Transport {
  readonly connection: Observable<ConnectionState>;
  /** Goes up when the person's rights or what they can see may have changed. Event streams don't report it. */
  readonly rights: Observable<number>;
  /**
   * Delivers each event once and in order, across as many connections as it takes. Resolves when the signal aborts;
   * rejects with ApiError when the server refuses (`lagged`: it no longer has the events).
   */
  follow(session: SessionId, options: FollowOptions): Promise<void>;
  notifications(options: NotificationOptions): Promise<void>;
  /** Ends everything. */
  close(): void;
}

/** Whether reading may work later: the server can't be reached, has failed, or has too much to do. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.code === 'offline' || error.status === 429 || error.status >= 500)
  );
}

export const closed = new ApiError(0, 'closed', 'The client was closed.');
