// Browser logins: started with the family password, remembered across restarts, ended by logout, expiry or a
// password change. Long-lived streams and sockets learn when their login ends.
import { createHash, randomBytes } from 'node:crypto';
import type { PersonName } from '@parley/protocol';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { LoginStore } from '../../../domain/logins.ts';
import type { Caller } from '../policy/credentials.ts';

export interface LoginsOptions {
  readonly store: LoginStore;
  /** The hash of the current password. */
  readonly passwordHash: () => Promise<string>;
  readonly clock: Clock;
  /** A login expires after this many days without use. */
  readonly days: number;
  readonly people: readonly PersonName[];
}

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
/** Far more than a household has browsers. */
const mostLogins = 1_000;

export class Logins {
  readonly #options: LoginsOptions;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** For requests that were admitted just before the end and open a stream just after it. */
  readonly #ended = new BoundedMap<string, true>(mostLogins);

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** Lifetime of the cookie of a login that was just used. */
  get seconds(): number {
    return (this.#options.days * day) / 1_000;
  }

  /** Call it after the family password was right. */
  async start(): Promise<StartedLogin> {
    const { store, clock, days } = this.#options;
    const secret = randomBytes(32).toString('base64url');
    const now = clock.now();
    const passwordHash = await this.#options.passwordHash();
    await store.removeOutdated(now, passwordHash);
    const login = { id: idOf(secret), passwordHash, createdAt: now, expiresAt: now + days * day };
    await store.add(login, mostLogins);
    return { secret, caller: { label: 'login', login: login.id } };
  }

  /** Undefined if the secret is unknown, has expired, or predates a password change. */
  async find(secret: string): Promise<KnownLogin | undefined> {
    const { store, clock, days, people } = this.#options;
    const login = await store.find(idOf(secret));
    const now = clock.now();
    if (!login || login.expiresAt <= now) return undefined;
    if (login.passwordHash !== (await this.#options.passwordHash())) return undefined;

    // Once a day is enough and saves a write per request.
    const isExtended = login.expiresAt - now < days * day - Math.min(day, (days * day) / 2);
    if (isExtended) await store.change(login.id, { expiresAt: now + days * day });
    const chosen = people.find((person) => person === login.person);
    return {
      caller: { label: 'login', login: login.id, ...(chosen !== undefined && { chosen }) },
      isExtended,
    };
  }

  async choosePerson(id: string, person: PersonName): Promise<void> {
    await this.#options.store.change(id, { person });
  }

  /** Ends the login and everything opened with it. */
  async end(id: string): Promise<void> {
    await this.#options.store.remove(id);
    this.#ended.set(id, true);
    for (const listener of this.#listeners.get(id) ?? []) listener();
    this.#listeners.delete(id);
  }

  /** Calls the listener once when the login ends, immediately if it already has. Returns a function that stops listening. */
  onEnd(id: string, listener: () => void): () => void {
    if (this.#ended.has(id)) {
      listener();
      return () => {};
    }
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }
}

// A plain hash is enough: unlike passwords, secrets are long and random.
function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
