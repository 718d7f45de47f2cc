// Turns the cookie of a request into its caller, and extends the cookie when the login is extended.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../policy/credentials.ts';
import { isPageRequest, isSecure, originOf } from '../request-facts.ts';
import { clearedCookie, cookie, readCookie } from './cookie.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { KnownLogin, Logins } from './logins.ts';

export type LoginCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | undefined>;

export function loginCheck(logins: Logins, browsers: KnownBrowsers): LoginCheck {
  return async (request, reply) => {
    const secure = isSecure(request);
    const secret = readCookie(request.headers.cookie, 'rv_session', { secure });
    const known = secret === undefined ? undefined : await logins.find(secret, originOf(request));
    if (secret !== undefined && known) return recognized(request, reply, secret, known);
    return secure ? renamed(request, reply) : undefined;
  };

  async function recognized(
    request: FastifyRequest,
    reply: FastifyReply,
    secret: string,
    { caller, isExtended }: KnownLogin,
  ): Promise<Caller> {
    if (isExtended) {
      const lifetime = { seconds: logins.seconds, secure: isSecure(request) };
      reply.header('set-cookie', cookie('rv_session', secret, lifetime));
    }
    if (isExtended || isPageRequest(request)) {
      // Optional: a full disk must not keep anybody out.
      await browsers.remember(request, reply, secret, isExtended).catch(() => undefined);
    }
    return caller;
  }

  /** A login from before cookies had a prefix. Until the new name arrives, the login stays unbound and the old name works. */
  async function renamed(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const secret = readCookie(request.headers.cookie, 'rv_session', { secure: false });
    const known = secret === undefined ? undefined : await logins.find(secret);
    if (secret === undefined || !known) return undefined;
    const lifetime = { seconds: logins.seconds, secure: true };
    reply.header('set-cookie', cookie('rv_session', secret, lifetime));
    reply.header('set-cookie', clearedCookie('rv_session', { secure: false }));
    return known.caller;
  }
}
