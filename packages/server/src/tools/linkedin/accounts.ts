// Finds a person's login: their own, obtained by OAuth and stored encrypted, or the one from the configuration. Renews
// logins before they expire, where LinkedIn allows it.
import { ParleyError, type PersonName } from '@parley/protocol';
import type { Clock } from '../../domain/clock.ts';
import type { SendHttp } from '../../domain/http.ts';
import type { LinkedInStatus } from '../../domain/linkedin.ts';
import { authorOf, GrantRefused, LinkedInToken, type OAuthOptions, renewToken } from './oauth.ts';
import type { Sealed } from './sealed.ts';

export interface ConfiguredAccount {
  readonly person: PersonName;
  readonly accessToken: string;
  readonly author?: string | undefined;
}

export interface AccountsOptions {
  readonly sealed: Sealed;
  readonly configured: readonly ConfiguredAccount[];
  readonly apiRoot: string;
  readonly http: SendHttp;
  readonly clock: Clock;
  /** Absent when no app is registered; then only configured logins work. */
  readonly oauth: OAuthOptions | undefined;
}

/** A login that is valid now. */
export interface Account {
  readonly accessToken: string;
  readonly author: string;
}

/** A login that expires within this time is renewed first. */
const leewayMs = 60_000;
const longestRenewalMs = 30_000;

export class Accounts {
  readonly #options: AccountsOptions;
  /** Simultaneous calls share one renewal, because LinkedIn may accept a refresh token only once. */
  readonly #renewals = new Map<PersonName, Promise<LinkedInToken>>();
  /** For configured logins without an author. At most one per person. */
  readonly #authors = new Map<PersonName, string>();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** Rejects with a sentence that says how to connect. */
  async of(person: PersonName, signal: AbortSignal): Promise<Account> {
    const stored = await this.#stored(person);
    if (stored !== undefined) return this.#complete(person, await this.#fresh(person, stored), signal);
    const configured = this.#options.configured.find((account) => account.person === person);
    if (configured === undefined) throw new ParleyError('unavailable', this.#notConnected());
    const author = configured.author ?? this.#authors.get(person);
    if (author !== undefined) return { accessToken: configured.accessToken, author };
    const found = await authorOf(this.#options, configured.accessToken, signal);
    this.#authors.set(person, found);
    return { accessToken: configured.accessToken, author: found };
  }

  /** After LinkedIn refused the login: another one, or an error that says what to do. */
  async renewed(person: PersonName, refused: string, signal: AbortSignal): Promise<Account> {
    const stored = await this.#stored(person);
    if (stored !== undefined && stored.accessToken !== refused) return this.#complete(person, stored, signal);
    if (stored === undefined || !this.#canRenew(stored)) throw new ParleyError('unavailable', ended);
    return this.#complete(person, await this.#renew(person, stored), signal);
  }

  async save(person: PersonName, token: LinkedInToken): Promise<void> {
    await this.#options.sealed.write(person, JSON.stringify(token));
  }

  async forget(person: PersonName): Promise<void> {
    await this.#options.sealed.remove(person);
  }

  async status(person: PersonName): Promise<LinkedInStatus> {
    const stored = await this.#stored(person);
    if (stored === undefined)
      return { connected: this.#options.configured.some((it) => it.person === person) };
    if (this.#canRenew(stored)) return { connected: true };
    const { expiresAt } = stored;
    if (expiresAt === undefined) return { connected: true };
    return { connected: expiresAt > this.#options.clock.now(), expiresAt };
  }

  async #fresh(person: PersonName, token: LinkedInToken): Promise<LinkedInToken> {
    const { expiresAt } = token;
    if (expiresAt === undefined || expiresAt - leewayMs > this.#options.clock.now()) return token;
    if (this.#canRenew(token)) return this.#renew(person, token);
    const day = new Date(expiresAt).toISOString().slice(0, 10);
    throw new ParleyError('unavailable', `The connection to LinkedIn expired on ${day}. ${howToConnect}`);
  }

  #renew(person: PersonName, token: LinkedInToken): Promise<LinkedInToken> {
    const running = this.#renewals.get(person);
    if (running !== undefined) return running;
    const renewal = this.#renewNow(person, token).finally(() => this.#renewals.delete(person));
    this.#renewals.set(person, renewal);
    return renewal;
  }

  /** Continues when its turn is stopped, because LinkedIn may have used up the refresh token by then. */
  async #renewNow(person: PersonName, token: LinkedInToken): Promise<LinkedInToken> {
    const { oauth } = this.#options;
    if (oauth === undefined) throw new ParleyError('unavailable', ended);
    const renewed = await renewToken(oauth, token, AbortSignal.timeout(longestRenewalMs)).catch(
      returnRefusal,
    );
    // What the person did in the meantime takes precedence.
    const stored = await this.#stored(person);
    if (stored === undefined) throw new ParleyError('unavailable', this.#notConnected());
    if (stored.accessToken !== token.accessToken) return stored;
    if (!(renewed instanceof GrantRefused)) {
      await this.save(person, renewed);
      return renewed;
    }
    await this.forget(person);
    throw new ParleyError('unavailable', ended, { cause: renewed });
  }

  async #complete(person: PersonName, token: LinkedInToken, signal: AbortSignal): Promise<Account> {
    if (token.author !== undefined) return { accessToken: token.accessToken, author: token.author };
    const author = await authorOf(this.#options, token.accessToken, signal);
    await this.save(person, { ...token, author });
    return { accessToken: token.accessToken, author };
  }

  #canRenew({ refreshToken, refreshExpiresAt }: LinkedInToken): boolean {
    if (this.#options.oauth === undefined || refreshToken === undefined) return false;
    return refreshExpiresAt === undefined || refreshExpiresAt > this.#options.clock.now();
  }

  async #stored(person: PersonName): Promise<LinkedInToken | undefined> {
    const text = await this.#options.sealed.read(person);
    return text === undefined ? undefined : LinkedInToken.parse(JSON.parse(text));
  }

  #notConnected(): string {
    if (this.#options.oauth !== undefined) return `LinkedIn is not connected yet. ${howToConnect}`;
    return 'LinkedIn is not set up. Set LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET, or put a token into linkedin.accounts in parley.config.json.';
  }
}

const howToConnect = 'Open /api/linkedin/connect on this server in a browser to connect it.';
export const ended = `LinkedIn no longer accepts the login. ${howToConnect}`;

function returnRefusal(thrown: unknown): GrantRefused {
  if (thrown instanceof GrantRefused) return thrown;
  throw thrown;
}
