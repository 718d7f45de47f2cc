// The only way in which Parley fetches addresses that somebody else chose. It keeps no cookies and no connections, connects
// only where guarded-connector.ts allows, and stops at limits of time, size and redirects.

import { networkInterfaces } from 'node:os';
import { ParleyError } from '@parley/protocol';
import type { Response } from 'undici';
import { createOutgoing, type Outgoing } from '../../basics/outgoing.ts';
import { outgoingDispatcher } from '../../basics/outgoing-dispatcher.ts';
import { readUpTo } from '../../basics/read-up-to.ts';
import type { HttpRequest, HttpResponse, SendHttp } from '../../domain/http.ts';
import { checkBeforeProxy, guardedConnector, type Lookup, lookupAll } from './guarded-connector.ts';
import type { ReadInterfaces } from './public-address.ts';
import { type Exceptions, parseWebAddress } from './web-address.ts';

const fetchLimits = {
  /** For a whole fetch, with every redirect and the body. Making it readable has its own limit. */
  totalMs: 15_000,
  connectMs: 10_000,
  /** Of a body, after decompression. */
  bodyBytes: 5 * 1024 * 1024,
  redirects: 5,
};

export type FetchLimits = Readonly<typeof fetchLimits>;

export interface GuardedFetchOptions {
  /** Exact `host:port` pairs that may be reached although they are not public. Empty unless configured. */
  readonly exceptions?: readonly string[];
  readonly lookup?: Lookup;
  readonly interfaces?: ReadInterfaces;
  readonly limits?: Partial<FetchLimits>;
  /** Directly by default. */
  readonly outgoing?: Outgoing;
  /** The `user-agent` header. */
  readonly userAgent?: string;
}

export function createGuardedFetch(options: GuardedFetchOptions = {}): SendHttp {
  const limits = { ...fetchLimits, ...options.limits };
  const exceptions: Exceptions = new Set(options.exceptions);
  const { lookup = lookupAll, interfaces = networkInterfaces, userAgent = 'Parley' } = options;
  const { outgoing = createOutgoing() } = options;
  const guard = { exceptions, lookup, interfaces };

  return async (request) => {
    const first = parseWebAddress(request.url, exceptions);
    // Loaded with the first request, because it would slow down the server's start.
    const { buildConnector, fetch } = await import('undici');
    const connect = buildConnector({ timeout: limits.connectMs });
    const agent = await outgoingDispatcher(outgoing, {
      connect: guardedConnector({ connect, ...guard }),
      pipelining: 0,
    });
    const late = AbortSignal.timeout(limits.totalMs);
    const signal = AbortSignal.any([request.signal, late]);

    let last = first;
    const ask = async (url: URL): Promise<Response> => {
      last = url;
      if (outgoing.proxyFor(url) !== undefined) await checkBeforeProxy(url, guard);
      return fetch(url, {
        method: request.method ?? 'GET',
        headers: { 'user-agent': userAgent, ...headersFor(url, first, request.headers) },
        body: request.bytes ?? request.body ?? null,
        redirect: 'manual',
        credentials: 'omit',
        dispatcher: agent,
        signal,
      });
    };

    try {
      return await follow(request, first, ask);
    } catch (thrown) {
      if (request.signal.aborted) throw request.signal.reason;
      const proxy = outgoing.proxyFor(last)?.url.host;
      throw toSentence(thrown, last.hostname, {
        proxy,
        lateAfterMs: late.aborted ? limits.totalMs : undefined,
      });
    } finally {
      await agent.destroy().catch(() => undefined);
    }
  };

  async function follow(
    request: HttpRequest,
    first: URL,
    ask: (url: URL) => Promise<Response>,
  ): Promise<HttpResponse> {
    let url = first;
    for (let redirects = 0; ; redirects += 1) {
      const response = await ask(url);
      const location = (request.method ?? 'GET') === 'GET' ? redirectOf(response) : undefined;
      const next = location === undefined ? undefined : parseWebAddress(absolute(location, url), exceptions);
      if (next === undefined || request.mayFollow?.(next) === false) {
        const body = await readBody(response, limits.bodyBytes);
        return { url: url.href, status: response.status, headers: response.headers, body };
      }
      await response.body?.cancel();
      if (redirects === limits.redirects) {
        throw new ParleyError('unavailable', `${first.hostname} redirects more than ${redirects} times.`);
      }
      url = next;
    }
  }
}

/** Keys and tokens are for one origin only: a redirect to another origin doesn't get them. */
function headersFor(url: URL, first: URL, headers: HttpRequest['headers'] = {}): Record<string, string> {
  if (url.origin === first.origin) return headers;
  const { accept } = headers;
  return accept === undefined ? {} : { accept };
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectOf({ status, headers }: Response): string | undefined {
  return redirects.has(status) ? (headers.get('location') ?? undefined) : undefined;
}

function absolute(location: string, base: URL): string {
  return URL.canParse(location, base.href) ? new URL(location, base).href : location;
}

/** Counts decompressed bytes chunk by chunk, so that a compression bomb is stopped early. */
async function readBody({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const { bytes, isWhole } = await readUpTo((body ?? []) as AsyncIterable<Uint8Array>, maxBytes);
  if (!isWhole) throw new ParleyError('too_large', `The answer is larger than ${sizeText(maxBytes)}.`);
  return bytes;
}

function sizeText(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  return megabytes >= 1 ? `${Math.round(megabytes)} MB` : `${bytes} bytes`;
}

/** Turns a network error into a sentence for the model and the person. `lateAfterMs` is set when the time ran out. */
function toSentence(
  thrown: unknown,
  host: string,
  { proxy, lateAfterMs }: { proxy: string | undefined; lateAfterMs: number | undefined },
): ParleyError {
  const ours = causes(thrown).find((cause) => cause instanceof ParleyError);
  if (ours !== undefined) return ours;
  const unavailable = (message: string): ParleyError =>
    new ParleyError('unavailable', message, { cause: thrown });
  if (lateAfterMs !== undefined) {
    return unavailable(`${host} took longer than ${lateAfterMs / 1_000} seconds to answer.`);
  }
  const codes = causes(thrown).map((cause) =>
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '',
  );
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) {
    return unavailable(`There is no server named ${host}, or its name cannot be resolved right now.`);
  }
  if (codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))) {
    return unavailable(`${host} has an invalid certificate, so its identity is not certain.`);
  }
  if (codes.some((code) => /TIMEOUT|ETIMEDOUT/.test(code))) {
    return unavailable(`${host} did not answer in time.`);
  }
  if (codes.some((code) => code.startsWith('Z_'))) {
    return unavailable(`${host} sent an answer that cannot be decompressed.`);
  }
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return unavailable(`${host} could not be reached${way}, or the connection was lost.`);
}

function causes(thrown: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let cause = thrown; cause instanceof Error && found.length < 5; cause = cause.cause) found.push(cause);
  return found;
}
