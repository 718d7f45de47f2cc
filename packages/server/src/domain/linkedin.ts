// The port through which a door lets a person connect their LinkedIn account.
import type { PersonName } from '@parley/protocol';

export interface LinkedInConnections {
  /** Begins a connection by this login, and gives the address of LinkedIn to send the browser to. */
  begin(person: PersonName, login: string, redirectUri: string): Promise<string>;
  /** Ends it. `forbidden` when nothing was begun with this state by this login. Nothing works twice. */
  finish(answer: ConsentAnswer): Promise<PersonName>;
  status(person: PersonName): Promise<LinkedInStatus>;
  /** Forgets what was obtained by `begin` and `finish`. */
  forget(person: PersonName): Promise<void>;
}

/** What LinkedIn sends the browser back with. */
interface ConsentAnswer {
  readonly state: string;
  /** Who brings it back: the same login that began. */
  readonly login: string;
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
