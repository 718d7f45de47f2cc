// The logins of browsers: begun with the family password, remembered across restarts, ended by logout, by time or
// by another password. Whoever serves a login for long is told when it ends.
import { createHash, randomBytes } from 'node:crypto';
import type { PersonName } from '@parley/protocol';
import type { Clock } from '../../../domain/clock.ts';
import type { LoginStore } from '../../../domain/logins.ts';
import type { Caller } from '../policy/credentials.ts';

export interface LoginsOptions {
  readonly store: LoginStore;
  /** The hash of the password in force. */
  readonly passwordHash: () => Promise<string>;
  readonly clock: Clock;
  /** A login ends when it was not used for so long. */
  readonly days: number;
  readonly people: readonly PersonName[];
}

export interface BegunLogin {
  /** For the cookie alone. */
  readonly secret: string;
  readonly caller: Caller;
}

export interface KnownLogin {
  readonly caller: Caller;
  /** The login was just prolonged: its cookie must be, too. */
  readonly isProlonged: boolean;
}

const day = 24 * 60 * 60 * 1_000;
/** Far more than a household has browsers. */
const mostLogins = 1_000;

export class Logins {
  readonly #options: LoginsOptions;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** For those who were let in just before the end and open something just after it. */
  readonly #ended = new Set<string>();

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** How long the cookie of a login lives that was used just now. */
  get seconds(): number {
    return (this.#options.days * day) / 1_000;
  }

  /** The family password was right. */
  async begin(): Promise<BegunLogin> {
    const { store, clock, days } = this.#options;
    const secret = randomBytes(32).toString('base64url');
    const now = clock.now();
    const passwordHash = await this.#options.passwordHash();
    await store.removeOutdated(now, passwordHash);
    const login = { id: idOf(secret), passwordHash, createdAt: now, expiresAt: now + days * day };
    await store.add(login, mostLogins);
    return { secret, caller: { label: 'login', login: login.id } };
  }

  /** Nothing for a secret that is unknown, has expired, or is from before the password changed. */
  async recognise(secret: string): Promise<KnownLogin | undefined> {
    const { store, clock, days, people } = this.#options;
    const login = await store.find(idOf(secret));
    const now = clock.now();
    if (!login || login.expiresAt <= now) return undefined;
    if (login.passwordHash !== (await this.#options.passwordHash())) return undefined;

    // Once a day is enough, and spares a write for each request.
    const isProlonged = login.expiresAt - now < days * day - Math.min(day, (days * day) / 2);
    if (isProlonged) await store.change(login.id, { expiresAt: now + days * day });
    const chosen = people.find((person) => person === login.person);
    return {
      caller: { label: 'login', login: login.id, ...(chosen !== undefined && { chosen }) },
      isProlonged,
    };
  }

  async choosePerson(id: string, person: PersonName): Promise<void> {
    await this.#options.store.change(id, { person });
  }

  /** Ends the login and all that was opened with it. */
  async end(id: string): Promise<void> {
    await this.#options.store.remove(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > mostLogins && oldest !== undefined) this.#ended.delete(oldest);
    for (const listener of this.#listeners.get(id) ?? []) listener();
    this.#listeners.delete(id);
  }

  /** Calls the listener once when the login ends, at once when it has. Returns the way to stop listening. */
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

// A plain hash is enough here: secrets are long and random, unlike passwords.
function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
