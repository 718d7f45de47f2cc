// The port that keeps logins: who has given the family password, on which browser, until when.
import type { PersonName } from '@parley/protocol';

export interface Login {
  /** A hash of the secret in the cookie: what is kept opens nothing. */
  readonly id: string;
  /** The argon2 hash of the password that was given; once another one is in force, the login is over. */
  readonly passwordHash: string;
  /** The person chosen on this browser. */
  readonly person?: PersonName;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Every call rejects with `unavailable` when the database cannot be used. */
export interface LoginStore {
  /** Keeps only the newest so many: the oldest go when there are more. */
  add(login: Login, most: number): Promise<void>;
  find(id: string): Promise<Login | undefined>;
  /** Changes only the given fields. */
  change(id: string, change: Partial<Pick<Login, 'person' | 'expiresAt'>>): Promise<void>;
  /** Resolves when the login cannot come back, not even after a power cut. */
  remove(id: string): Promise<void>;
  /** Forgets those that have expired, and those that were made with another password. */
  removeOutdated(now: number, passwordHash: string): Promise<void>;
  /** Each once. */
  passwordHashes(): Promise<readonly string[]>;
}
