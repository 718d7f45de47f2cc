// Turns the cookie of a request into its caller, and extends the cookie when the login is extended.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../policy/credentials.ts';
import { loginCookie, readLoginCookie } from './cookie.ts';
import type { Logins } from './logins.ts';

export type LoginCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | undefined>;

export function loginCheck(logins: Logins): LoginCheck {
  return async (request, reply) => {
    const secret = readLoginCookie(request.headers.cookie);
    const known = secret === undefined ? undefined : await logins.find(secret);
    if (!secret || !known) return undefined;
    if (known.isExtended) {
      reply.header('set-cookie', loginCookie(secret, { seconds: logins.seconds, secure: isSecure(request) }));
    }
    return known.caller;
  };
}

/** Also true behind a trusted proxy that terminates TLS. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}
