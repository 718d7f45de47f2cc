// The port through which a door lets a person connect their LinkedIn account.
import type { PersonName } from '@parley/protocol';

export interface LinkedInConnections {
  /** Starts a connection for this login and returns LinkedIn's address to send the browser to. */
  begin(person: PersonName, login: string, redirectUri: string): Promise<string>;
  /** Finishes it. `forbidden` when this login did not start a connection with this state. Works once. */
  finish(answer: ConsentAnswer): Promise<PersonName>;
  status(person: PersonName): Promise<LinkedInStatus>;
  /** Removes the stored login. */
  forget(person: PersonName): Promise<void>;
}

/** What LinkedIn sends the browser back with. */
interface ConsentAnswer {
  readonly state: string;
  /** Must be the login that started it. */
  readonly login: string;
  readonly code?: string | undefined;
  /** Such as `user_cancelled_login`. */
  readonly error?: string | undefined;
  readonly signal: AbortSignal;
}

export interface LinkedInStatus {
  readonly connected: boolean;
  /** Milliseconds since the epoch; absent when unknown or renewed automatically. */
  readonly expiresAt?: number;
}
