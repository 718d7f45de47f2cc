// Accounts and what belongs to them: the shapes, and the ports of their stores. Every call rejects with `unavailable` when
// the database cannot be used; every write is durable unless it says otherwise.
import type { PersonName, Role } from '@parley/protocol';

/** A person's own credentials and role. Once it exists, nobody else's credentials can act for them. */
export interface Account {
  readonly person: PersonName;
  readonly role: Role;
  readonly displayName?: string;
  /** The argon2 hash of their own password, if they have one. */
  readonly passwordHash?: string;
  /** Who they are at the identity provider, if they linked it. */
  readonly openId?: OpenIdSubject;
  /** What a guest may use; empty for everybody else. */
  readonly assistants: readonly string[];
  readonly createdAt: number;
  /** While it is set, nobody can act for the person. */
  readonly disabledAt?: number;
}

export interface OpenIdSubject {
  readonly issuer: string;
  readonly subject: string;
}

/** Null removes a value. */
export type AccountChange = Partial<Pick<Account, 'role' | 'assistants'>> & {
  readonly [Field in 'displayName' | 'passwordHash' | 'openId' | 'disabledAt']?: Account[Field] | null;
};

export interface Passkey {
  /** The credential id, in base64url. */
  readonly id: string;
  readonly person: PersonName;
  readonly name: string;
  /** In base64url. */
  readonly publicKey: string;
  /** How often the authenticator says it was used; always 0 for passkeys that are synced. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** The host name it works at. */
  readonly host: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

export interface Invitation {
  readonly id: string;
  /** The SHA-256 hash of the secret in the link. */
  readonly sha256: string;
  readonly person: PersonName;
  readonly role: Role;
  /** What a guest may use; empty for everybody else. */
  readonly assistants: readonly string[];
  /** Absent if it was made on the command line. */
  readonly createdBy?: PersonName;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface AccountStore {
  /** The oldest first. */
  list(): Promise<readonly Account[]>;
  /**
   * Creates the account, with its first passkey if there is one, and uses up the invitation. Writes nothing and rejects
   * with `conflict` if the person has an account, with `not_found` if the invitation is gone.
   */
  create(account: Account, by: { readonly invitation?: string; readonly passkey?: Passkey }): Promise<void>;
  /**
   * Uses up the invitation for somebody who has an account: changes the given fields, replaces their passkeys, and
   * removes everything else that somebody with their old credentials could still get in with: their logins and API
   * keys, and the keys and invitations they made. Resolves with the number of keys. Writes nothing and rejects with
   * `not_found` if the invitation or the account is gone.
   */
  recover(
    person: PersonName,
    change: AccountChange,
    by: { readonly invitation: string; readonly passkey?: Passkey },
  ): Promise<number>;
  /**
   * Changes only the given fields; disabling an account removes its logins. False if there is no such account. Rejects
   * with `conflict` if no owner would be left, or if the OpenID subject is somebody else's.
   */
  change(person: PersonName, change: AccountChange): Promise<boolean>;
  /**
   * Removes the account with its passkeys, API keys, logins and invitations. False if there is none. Rejects with
   * `conflict` if it is the last owner.
   */
  remove(person: PersonName): Promise<boolean>;

  passkeys(person: PersonName): Promise<readonly Passkey[]>;
  findPasskey(id: string): Promise<Passkey | undefined>;
  /** Rejects with `conflict` if somebody has it already. */
  addPasskey(passkey: Passkey): Promise<void>;
  renamePasskey(person: PersonName, id: string, name: string): Promise<boolean>;
  usedPasskey(id: string, counter: number, at: number): Promise<void>;
  removePasskey(person: PersonName, id: string): Promise<boolean>;

  /** Replaces an earlier one for the same person. */
  invite(invitation: Invitation): Promise<void>;
  /** Those that haven't expired, the oldest first. */
  invitations(now: number): Promise<readonly Invitation[]>;
  removeInvitation(id: string): Promise<boolean>;
}

/** A key made at run time. It acts for one person only. */
export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly sha256: string;
  readonly person: PersonName;
  /** The only assistants it may use, where `claude-code` counts as one; absent if it may use all of the person's. */
  readonly assistants?: readonly string[];
  readonly readOnly: boolean;
  /** Absent if it was made on the command line. */
  readonly createdBy?: PersonName;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
}

export interface ApiKeyStore {
  /** The oldest first. */
  list(): Promise<readonly ApiKey[]>;
  add(key: ApiKey): Promise<void>;
  /** Not durable. */
  used(id: string, at: number): Promise<void>;
  /** False if there is no such key. */
  remove(id: string): Promise<boolean>;
}
