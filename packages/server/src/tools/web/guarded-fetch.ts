// The one way in which Parley reaches other web servers. It keeps no cookies and no connections, goes only where
// guarded-connector.ts lets it, and gives up at a bound of time, size or redirects.
import { ParleyError } from '@parley/protocol';
import type { Response } from 'undici';
import type { HttpRequest, HttpResponse, SendHttp } from '../../domain/http.ts';
import { toSentence } from './fetch-failures.ts';
import { guardedConnector, type Lookup, lookupAll } from './guarded-connector.ts';
import { type WebLimits, webLimits } from './limits.ts';
import { type Exceptions, parseWebAddress } from './web-address.ts';

export interface GuardedFetchOptions {
  /** Exact `host:port` pairs that may be reached although they are not public. None, unless somebody chose them. */
  readonly exceptions?: readonly string[];
  readonly lookup?: Lookup;
  readonly limits?: Partial<WebLimits>;
  /** What Parley calls itself. */
  readonly userAgent?: string;
}

export function createGuardedFetch(options: GuardedFetchOptions = {}): SendHttp {
  const limits = { ...webLimits, ...options.limits };
  const exceptions: Exceptions = new Set(options.exceptions);
  const { lookup = lookupAll, userAgent = 'Parley' } = options;

  return async (request) => {
    const first = parseWebAddress(request.url, exceptions);
    // Loaded with the first request: it takes longer than the rest of a start.
    const { Agent, buildConnector, fetch } = await import('undici');
    const connect = buildConnector({ timeout: limits.connectMs });
    const agent = new Agent({ connect: guardedConnector({ connect, exceptions, lookup }), pipelining: 0 });
    const late = AbortSignal.timeout(limits.totalMs);
    const signal = AbortSignal.any([request.signal, late]);

    let last = first;
    const ask = (url: URL): Promise<Response> => {
      last = url;
      return fetch(url, {
        method: request.method ?? 'GET',
        headers: { 'user-agent': userAgent, ...headersFor(url, first, request.headers) },
        body: request.body ?? null,
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
      throw toSentence(thrown, last.hostname, late.aborted ? limits.totalMs : undefined);
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
      if (location === undefined) {
        const body = await readBody(response, limits.bodyBytes);
        return { url: url.href, status: response.status, headers: response.headers, body };
      }
      await response.body?.cancel();
      if (redirects === limits.redirects) {
        throw new ParleyError('unavailable', `${first.hostname} redirects more than ${redirects} times.`);
      }
      url = parseWebAddress(absolute(location, url), exceptions);
    }
  }
}

/** Keys and tokens are meant for one place: where a redirect leads to another, they stay behind. */
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

/** Counts what comes out of the decompression, chunk by chunk: a small bomb never gets to unfold. */
async function readBody({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new ParleyError('too_large', `The answer is larger than ${sizeText(maxBytes)}.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function sizeText(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  return megabytes >= 1 ? `${Math.round(megabytes)} MB` : `${bytes} bytes`;
}
