// Sends requests to another server on somebody's behalf, over the public API.
import { ApiError, createHttp, type Http } from '@parley/client';
import { ErrorCode, ParleyError } from '@parley/protocol';
import { type Actor, personOf, scopeOf } from '../domain/access.ts';
import { movedAway, type OtherServer, serverDistrustsUs } from '../domain/ownership.ts';
import { type ServerSignature, type SignedRequest, serverHeader } from './server-signature.ts';

export interface Signing {
  readonly signature: ServerSignature;
  readonly fetch: typeof globalThis.fetch;
}

export function signedHttp({ url }: OtherServer, actor: Actor, { signature, fetch }: Signing): Http {
  const base = new URL(url).pathname.replace(/\/$/, '');
  const signed: typeof globalThis.fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const request = { method: init?.method ?? 'GET', path: `${pathname.slice(base.length)}${search}` };
    const headers = {
      ...(init?.headers as Record<string, string>),
      ...signedHeaders(actor, request, signature),
    };
    return fetch(input, { ...init, headers });
  };
  return createHttp({ baseUrl: url, fetch: signed });
}

export function signedHeaders(
  actor: Actor,
  request: SignedRequest,
  signature: ServerSignature,
  address?: string,
): Record<string, string> {
  const who = { person: personOf(actor), scope: scopeOf(actor) ?? { readOnly: false }, address };
  return { [serverHeader]: signature.sign(who, request) };
}

/** Translates a failed request into one of our errors: `moved` if the server can't be reached. */
export function errorOfServer(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error instanceof TypeError ? movedAway() : error;
  const code = ErrorCode.safeParse(error.code).data;
  // No answer, or one from something between the servers.
  if (code === undefined || error.status === 502 || error.status === 504) return movedAway();
  if (code === 'unauthenticated') return serverDistrustsUs;
  return new ParleyError(code, error.message, { retryAfterSeconds: error.retryAfterSeconds });
}
