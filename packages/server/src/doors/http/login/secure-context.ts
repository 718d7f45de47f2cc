// Where browsers allow passkeys: over HTTPS, and on this machine.
import type { FastifyRequest } from 'fastify';
import { isSecure } from './cookie.ts';

/** An IP address can't have passkeys, even over HTTPS. */
export function isSecureContext(request: FastifyRequest): boolean {
  const host = hostOf(request);
  return host === 'localhost' || (isSecure(request) && !/^[\d.]+$|^\[/.test(host));
}

/** The name in the address bar, without the port. */
export function hostOf(request: FastifyRequest): string {
  return new URL(`${request.protocol}://${request.headers.host}`).hostname;
}
