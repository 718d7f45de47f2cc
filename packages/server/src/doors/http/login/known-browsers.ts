// Browsers that have logged in before. Each carries a mark in a separate cookie, which outlives the login. It grants
// nothing, but wrong passwords from elsewhere don't slow down a browser that has it.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../domain/clock.ts';
import type { LoginStore } from '../../../domain/logins.ts';
import { hashSecret } from '../policy/secret-hash.ts';
import { isSecure } from '../request-facts.ts';
import { cookie, readCookie } from './cookie.ts';

/** Far more browsers than a household has. */
const maxBrowsers = 1_000;
/** Browsers keep cookies for at most 400 days. */
const seconds = 400 * 24 * 60 * 60;

export class KnownBrowsers {
  readonly #store: LoginStore;
  readonly #clock: Clock;

  constructor(store: LoginStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The id of the browser's mark; undefined if it has none that we know. */
  async find(request: FastifyRequest): Promise<string | undefined> {
    const mark = readCookie(request.headers.cookie, 'rv_browser', { secure: isSecure(request) });
    if (mark === undefined) return undefined;
    const id = hashSecret(mark);
    return (await this.#store.knowsBrowser(id)) ? id : undefined;
  }

  /** Call this for a request with a login. Does nothing if the browser is known, unless its mark is to be `renewed`. */
  async remember(
    request: FastifyRequest,
    reply: FastifyReply,
    loginSecret: string,
    renewed = true,
  ): Promise<void> {
    const secure = isSecure(request);
    const known = await this.find(request);
    if (known !== undefined && !renewed) return;
    const own = known && readCookie(request.headers.cookie, 'rv_browser', { secure });
    // Derived from the login, so that a client without a cookie jar has one mark per login, not one per request.
    const mark = own ?? createHash('sha256').update(`browser ${loginSecret}`).digest('base64url');
    await this.#store.rememberBrowser(hashSecret(mark), this.#clock.now(), maxBrowsers);
    reply.header('set-cookie', cookie('rv_browser', mark, { seconds, secure }));
  }
}
