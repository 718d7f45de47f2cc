// The login store port: which browsers are logged in, as whom, and until when.
import type { LoginKind, PersonName } from '@parley/protocol';

export interface Login {
  /** A hash of the secret in the cookie, so that the stored value cannot be used to log in. */
  readonly id: string;
  readonly kind: LoginKind;
  /**
   * What it was made with: the argon2 hash of the password, the id of the passkey, or empty. The login ends when this
   * is no longer valid, for example after a password change.
   */
  readonly credential: string;
  /** The person chosen in this browser. It can change only in a login of the family. */
  readonly person?: PersonName;
  /** The only origin it works at. Absent for a login from an earlier version of Parley until it is used. */
  readonly origin?: string;
  /** The device, in a few words. */
  readonly device?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Approximate. */
  readonly seenAt: number;
}

/** Every call rejects with `unavailable` when the database cannot be used. */
export interface LoginStore {
  /** Removes the oldest logins when there are more than `most`. */
  add(login: Login, most: number): Promise<void>;
  find(id: string): Promise<Login | undefined>;
  /** The logins of the family, or of a person with an account. The most recently seen first. */
  list(of: 'family' | { readonly person: PersonName }): Promise<readonly Login[]>;
  /** Changes only the given fields. */
  change(
    id: string,
    change: Partial<Pick<Login, 'person' | 'origin' | 'expiresAt' | 'credential' | 'device' | 'seenAt'>>,
  ): Promise<void>;
  /** Resolves when the login is removed durably. */
  remove(id: string): Promise<void>;
  /** Removes expired logins, and logins of the family that were made with another password. */
  removeOutdated(now: number, passwordHash: string): Promise<void>;
  /** The hashes in the family's logins, without duplicates. */
  passwordHashes(): Promise<readonly string[]>;
  /** Stores that this browser has logged in, under a hash of its mark. Removes the least recently seen beyond `most`. */
  rememberBrowser(id: string, now: number, most: number): Promise<void>;
  knowsBrowser(id: string): Promise<boolean>;
}
