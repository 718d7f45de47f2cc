// Everything that the doors and the command line can do with accounts. They check who may do it.
import type { PersonName, Role } from '@parley/protocol';
import type { Account, Invitation, OpenIdSubject, Passkey } from './accounts.ts';

/** What somebody will log in with. */
export type Credential =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'passkey'; readonly passkey: Omit<Passkey, 'person'> }
  | { readonly kind: 'openid'; readonly openId: OpenIdSubject };

/** Who does it and from where, for the audit log. */
export interface DoneBy {
  /** Absent on the command line, and for somebody who follows an invitation. */
  readonly person?: PersonName | undefined;
  readonly address?: string | undefined;
}

export interface NewInvitation {
  readonly person: PersonName;
  readonly role: Role;
  /** What a guest may use. */
  readonly assistants: readonly string[];
}

/** Every call that names a person rejects with `not_found` if they have no account. */
export interface AccountActions {
  /**
   * Makes an invitation, and replaces an earlier one for the same person. Somebody who has an account gets a new way in:
   * the role stays, and everything they logged in with before ends. The secret is not stored anywhere.
   */
  invite(
    wanted: NewInvitation,
    by: DoneBy,
  ): Promise<{ readonly secret: string; readonly invitation: Invitation }>;
  /** The open ones, the oldest first. */
  invitations(): Promise<readonly Invitation[]>;
  /** Rejects with `not_found` if the secret is wrong, was used or has expired. */
  findInvitation(secret: string): Promise<Invitation>;
  /** Rejects with `not_found` if the secret is wrong, was used or has expired, `invalid` if the password is weak. */
  accept(secret: string, credential: Credential, by: DoneBy): Promise<Account>;
  withdraw(invitation: string, by: DoneBy): Promise<boolean>;
  /** Makes an account for somebody who has none, with the role they have. Rejects with `conflict` if they have one. */
  protect(person: PersonName, credential: Credential, by: DoneBy): Promise<Account>;

  /** The account, if this is its password. Takes just as long for people without a password. */
  checkPassword(person: PersonName, password: string): Promise<Account | undefined>;
  /** Rejects with `invalid` if it is weak. Logins made with the old one end. */
  changePassword(person: PersonName, password: string, by: DoneBy): Promise<Account>;
  /** Null goes back to the person's name. */
  rename(person: PersonName, displayName: string | null, by: DoneBy): Promise<void>;

  passkeys(person: PersonName): Promise<readonly Passkey[]>;
  addPasskey(passkey: Passkey, by: DoneBy): Promise<void>;
  renamePasskey(person: PersonName, id: string, name: string): Promise<boolean>;
  /** Rejects with `conflict` if there is no other way in. */
  removePasskey(person: PersonName, id: string, by: DoneBy): Promise<boolean>;
  linkOpenId(person: PersonName, openId: OpenIdSubject, by: DoneBy): Promise<void>;
  /** Rejects with `conflict` if there is no other way in. */
  unlinkOpenId(person: PersonName, by: DoneBy): Promise<void>;

  /** Rejects with `conflict` if no owner would be left; so do the next two. */
  changeRole(person: PersonName, role: Role, assistants: readonly string[], by: DoneBy): Promise<void>;
  setDisabled(person: PersonName, isDisabled: boolean, by: DoneBy): Promise<void>;
  /** Their notes and sessions stay. */
  remove(person: PersonName, by: DoneBy): Promise<void>;
}
