// Browser logins, with the family password or of one person. They survive restarts, and end with a logout, when they
// expire, or when the password or passkey behind them changes.
import { randomBytes } from 'node:crypto';
import type { LoginKind, PersonName } from '@parley/protocol';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Login, LoginStore } from '../../../domain/logins.ts';
import type { People } from '../../../domain/people.ts';
import type { Caller } from '../policy/credentials.ts';
import { mayActFor } from '../policy/person.ts';
import { hashSecret } from '../policy/secret-hash.ts';

export interface LoginsOptions {
  readonly store: LoginStore;
  /** The hash of the current family password. */
  readonly passwordHash: () => Promise<string>;
  readonly clock: Clock;
  /** A login expires after this many days without use. */
  readonly days: number;
  readonly people: People;
  /** Called when a login ends before it expires. */
  readonly onEnd: () => void;
}

/** Who somebody has proven to be. */
export type Proof =
  | { readonly kind: 'family'; readonly person?: PersonName | undefined }
  | { readonly kind: Exclude<LoginKind, 'family'>; readonly person: PersonName; readonly credential: string };

export interface StartedLogin {
  /** Goes into the cookie and nowhere else. */
  readonly secret: string;
  readonly caller: Caller & { readonly login: string };
}

export interface KnownLogin {
  readonly caller: Caller;
  /** The login was just extended, so its cookie must be, too. */
  readonly isExtended: boolean;
}

const day = 24 * 60 * 60 * 1_000;
/** How often the last use is stored; each time costs a write. */
const seenEvery = 60 * 60 * 1_000;
/** Far more browsers than a household has. */
const maxLogins = 1_000;

export class Logins {
  readonly #options: LoginsOptions;
  /** For requests that were admitted before their login ended and are still running. */
  readonly #ended = new BoundedMap<string, true>(maxLogins);
  /** Logins with which something may be open. */
  readonly #used = new BoundedMap<string, true>(maxLogins);

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** Lifetime of the cookie of a login that was just used. */
  get seconds(): number {
    return (this.#options.days * day) / 1_000;
  }

  /** Call this after checking the proof. The login works only at the given origin. */
  async start(origin: string, proof: Proof, device?: string): Promise<StartedLogin> {
    const { store, clock, days } = this.#options;
    const secret = randomBytes(32).toString('base64url');
    const now = clock.now();
    const passwordHash = await this.#options.passwordHash();
    await store.removeOutdated(now, passwordHash);
    const login = {
      id: hashSecret(secret),
      kind: proof.kind,
      origin,
      credential: proof.kind === 'family' ? passwordHash : proof.credential,
      ...(proof.person !== undefined && { person: proof.person }),
      ...(device !== undefined && { device }),
      createdAt: now,
      expiresAt: now + days * day,
      seenAt: now,
    };
    await store.add(login, maxLogins);
    return { secret, caller: this.#callerOf(login) };
  }

  /**
   * Undefined if the secret is unknown, has expired, predates a password change, or was made for another origin. A login
   * from before logins had an origin is bound to the first one it is used at; without an `origin`, only those are found.
   */
  async find(secret: string, origin?: string): Promise<KnownLogin | undefined> {
    const { store, clock, days } = this.#options;
    const login = await store.find(hashSecret(secret));
    const now = clock.now();
    if (!login || login.expiresAt <= now || !(await this.#isCurrent(login))) return undefined;
    if (login.origin !== undefined && login.origin !== origin) return undefined;
    if (login.origin !== origin && origin !== undefined) await store.change(login.id, { origin });

    this.#used.set(login.id, true);
    // Once a day is enough and saves a write per request.
    const isExtended = login.expiresAt - now < days * day - Math.min(day, (days * day) / 2);
    const isSeen = now - login.seenAt >= seenEvery;
    if (isExtended || isSeen)
      await store.change(login.id, { seenAt: now, ...(isExtended && { expiresAt: now + days * day }) });
    return { caller: this.#callerOf(login), isExtended };
  }

  /** Whether the login still works and can act for the person. */
  async mayActFor(id: string, person: PersonName): Promise<boolean> {
    const { store, clock, people } = this.#options;
    const login = await store.find(id);
    if (!login || login.expiresAt <= clock.now() || !(await this.#isCurrent(login))) return false;
    return mayActFor(this.#callerOf(login), person, people);
  }

  async choosePerson(id: string, person: PersonName): Promise<void> {
    await this.#options.store.change(id, { person });
  }

  /** Ends the login and everything opened with it. */
  async end(id: string): Promise<void> {
    await this.#options.store.remove(id);
    this.#used.delete(id);
    this.#ended.set(id, true);
    this.#options.onEnd();
  }

  /** Call this when another server may have ended logins: closes what is open with them here. */
  async noticeEnded(): Promise<void> {
    const used = [...this.#used.entries()].map(([id]) => id);
    const found = await Promise.all(used.map((id) => this.#options.store.find(id)));
    const gone = used.filter((_, index) => found[index] === undefined);
    for (const id of gone) {
      this.#used.delete(id);
      this.#ended.set(id, true);
    }
    if (gone.length > 0) this.#options.onEnd();
  }

  /** The logins of one person with an account, or those with the family password. */
  list(person: PersonName | undefined): Promise<readonly Login[]> {
    return this.#options.store.list(person === undefined ? 'family' : { person });
  }

  /** Ends the logins that match, and everything opened with them. */
  async endMatching(person: PersonName, matches: (login: Login) => boolean): Promise<void> {
    const logins = await this.list(person);
    await Promise.all(logins.filter(matches).map(({ id }) => this.end(id)));
  }

  /** Keeps a login whose password has just changed. */
  async keepWith(id: string, credential: string): Promise<void> {
    await this.#options.store.change(id, { credential });
  }

  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  async #isCurrent({ kind, credential, person }: Login): Promise<boolean> {
    if (kind === 'family') return credential === (await this.#options.passwordHash());
    const { people } = this.#options;
    if (person === undefined || !people.has(person) || !people.hasAccount(person)) return false;
    return kind !== 'password' || credential === people.account(person)?.passwordHash;
  }

  #callerOf({ id, kind, person }: Login): StartedLogin['caller'] {
    const caller = { label: 'login', login: id };
    if (person === undefined) return caller;
    if (kind !== 'family') return { ...caller, person };
    const { people } = this.#options;
    return people.has(person) && !people.hasAccount(person) ? { ...caller, chosen: person } : caller;
  }
}
