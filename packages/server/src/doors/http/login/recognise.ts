// From the cookie of a request to its caller; prolongs the cookie with the login.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../policy/credentials.ts';
import { loginCookie, readLoginCookie } from './cookie.ts';
import type { Logins } from './logins.ts';

export type LoginCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | undefined>;

export function loginCheck(logins: Logins): LoginCheck {
  return async (request, reply) => {
    const secret = readLoginCookie(request.headers.cookie);
    const known = secret === undefined ? undefined : await logins.recognise(secret);
    if (!secret || !known) return undefined;
    if (known.isProlonged) {
      reply.header('set-cookie', loginCookie(secret, { seconds: logins.seconds, secure: isSecure(request) }));
    }
    return known.caller;
  };
}

/** Also behind a trusted proxy that ends TLS. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}
