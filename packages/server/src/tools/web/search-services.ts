// Services that search the web for `web_search`: SearXNG and Brave.
import { ParleyError } from '@parley/protocol';
import { z } from 'zod';
import { parseJson } from '../../content/parse-json.ts';
import { retryAfterMs, waitText } from '../../content/waiting-time.ts';
import type { HttpRequest, SendHttp } from '../../domain/http.ts';

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchService {
  readonly name: string;
  /** The best results first. Rejects with a ParleyError. */
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>;
}

interface SearchOptions {
  readonly count: number;
  readonly signal: AbortSignal;
}

const SearxngAnswer = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() })),
});

/** A meta search engine that people run themselves. Its `json` format must be enabled. */
export function searxng(baseUrl: string, http: SendHttp): SearchService {
  return {
    name: 'SearXNG',
    async search(query, { count, signal }) {
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/search`);
      url.search = new URLSearchParams({ q: query, format: 'json', safesearch: '1' }).toString();
      const { results } = await askForJson(http, { url: url.href, signal }, this.name, SearxngAnswer);
      return results
        .slice(0, count)
        .map((result) => ({ title: result.title ?? '', url: result.url, snippet: result.content ?? '' }));
    },
  };
}

const BraveAnswer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() }),
      ),
    })
    .nullish(),
});

interface BraveOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
}

export function brave({ apiKey, baseUrl }: BraveOptions, http: SendHttp): SearchService {
  return {
    name: 'Brave Search',
    async search(query, { count, signal }) {
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/res/v1/web/search`);
      url.search = new URLSearchParams({
        q: query,
        count: String(count),
        text_decorations: 'false',
      }).toString();
      const headers = { 'x-subscription-token': apiKey };
      const { web } = await askForJson(http, { url: url.href, headers, signal }, this.name, BraveAnswer);
      return (web?.results ?? [])
        .slice(0, count)
        .map((result) => ({ title: result.title ?? '', url: result.url, snippet: result.description ?? '' }));
    },
  };
}

async function askForJson<T>(
  http: SendHttp,
  request: HttpRequest,
  service: string,
  shape: z.ZodType<T>,
): Promise<T> {
  const { status, headers, body } = await http({
    ...request,
    headers: { accept: 'application/json', ...request.headers },
  });
  if (status !== 200) throw refusal(service, status, headers.get('retry-after'));
  const parsed = shape.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw new ParleyError('unavailable', `${service} returned an answer that is not a list of results.`);
}

function refusal(service: string, status: number, retryAfter: string | null): ParleyError {
  switch (status) {
    case 401:
    case 403:
      return new ParleyError(
        'unavailable',
        `${service} refused the search (status ${status}). Check its key and its settings.`,
      );
    case 429: {
      const ms = retryAfterMs(retryAfter);
      const wait = ms === undefined ? 'in a moment' : waitText(Math.ceil(ms / 1_000));
      return new ParleyError('rate_limited', `${service} received too many requests. Search again ${wait}.`);
    }
    default:
      return new ParleyError('unavailable', `${service} could not search (status ${status}).`);
  }
}
