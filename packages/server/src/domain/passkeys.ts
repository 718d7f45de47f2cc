// The port for passkeys: what a browser is asked for, and whether its answer is right. A passkey works at one host name.
import type { PersonName } from '@parley/protocol';
import type { Passkey } from './accounts.ts';

/** The address under which the browser sees Parley. */
export interface Site {
  /** With scheme and port. */
  readonly origin: string;
  /** The name alone. */
  readonly host: string;
}

/** What `navigator.credentials` takes, in its JSON form. */
export type CredentialOptions = Readonly<Record<string, unknown>>;

export interface Passkeys {
  /** Options for making a passkey that the person doesn't have yet. */
  creationOptions(
    site: Site,
    who: { readonly person: PersonName; readonly displayName: string },
    present: readonly Passkey[],
  ): Promise<CredentialOptions>;
  /** Rejects with `invalid` if this doesn't answer our options for this person, or if they were answered before. */
  created(site: Site, person: PersonName, answer: CreatedPasskey): Promise<Omit<Passkey, 'person'>>;
  /** Options for logging in with any passkey for this host: the browser offers those it has. */
  requestOptions(site: Site): Promise<CredentialOptions>;
  /** Records the use. Rejects with `unauthenticated` for an unknown passkey, another site, or an old answer. */
  used(site: Site, response: unknown): Promise<Passkey>;
}

export interface CreatedPasskey {
  /** What the person calls it. */
  readonly name: string;
  /** From the browser. */
  readonly response: unknown;
}
