// The port through which a door lets a person connect their LinkedIn account.
import type { PersonName } from '@parley/protocol';

export interface LinkedInConnections {
  /** Begins a connection: where to send the browser, and what only that browser may know until it comes back. */
  begin(person: PersonName, redirectUri: string): Promise<{ readonly url: string; readonly nonce: string }>;
  /** Ends it. `unauthenticated` when nothing was begun with this state by the browser that has this nonce. */
  finish(answer: ConsentAnswer): Promise<PersonName>;
  status(person: PersonName): Promise<LinkedInStatus>;
  /** Forgets what was obtained by `begin` and `finish`. */
  forget(person: PersonName): Promise<void>;
}

/** What LinkedIn sends the browser back with. */
export interface ConsentAnswer {
  readonly state: string;
  readonly nonce: string;
  readonly code?: string | undefined;
  /** Such as `user_cancelled_login`. */
  readonly error?: string | undefined;
  readonly signal: AbortSignal;
}

export interface LinkedInStatus {
  readonly connected: boolean;
  /** Milliseconds since the epoch; absent when it is not known, or when it renews itself. */
  readonly expiresAt?: number;
}
