// The login store port: which browsers are logged in with the family password, and until when.
import type { PersonName } from '@parley/protocol';

export interface Login {
  /** A hash of the secret in the cookie, so that the stored value cannot be used to log in. */
  readonly id: string;
  /** The argon2 hash of the password that was used; a password change ends the login. */
  readonly passwordHash: string;
  /** The person chosen on this browser. */
  readonly person?: PersonName;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Every call rejects with `unavailable` when the database cannot be used. */
export interface LoginStore {
  /** Removes the oldest logins when there are more than `most`. */
  add(login: Login, most: number): Promise<void>;
  find(id: string): Promise<Login | undefined>;
  /** Changes only the given fields. */
  change(id: string, change: Partial<Pick<Login, 'person' | 'expiresAt'>>): Promise<void>;
  /** Resolves when the login is removed durably. */
  remove(id: string): Promise<void>;
  /** Removes expired logins, and those of another password. */
  removeOutdated(now: number, passwordHash: string): Promise<void>;
  /** Without duplicates. */
  passwordHashes(): Promise<readonly string[]>;
}
