// What a request says about where it comes from and where the browser sees us.
import type { FastifyRequest } from 'fastify';

/** Also true behind a trusted proxy that terminates TLS. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}

/** Where browsers allow passkeys: over HTTPS, and on this machine. An IP address can't have them, even over HTTPS. */
export function isSecureContext(request: FastifyRequest): boolean {
  const host = hostOf(request);
  return host === 'localhost' || (isSecure(request) && !/^[\d.]+$|^\[/.test(host));
}

/** The name in the address bar, without the port. */
export function hostOf(request: FastifyRequest): string {
  return addressOf(request).hostname;
}

/** Where the browser sees us: scheme, host and port. The policy has checked the host before. */
export function originOf(request: FastifyRequest): string {
  return addressOf(request).origin;
}

/** True for browser navigation; requests made by a page's own script don't want a page back. */
export function isPageRequest({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
}

function addressOf({ protocol, headers }: FastifyRequest): URL {
  return new URL(`${protocol}://${headers.host}`);
}
