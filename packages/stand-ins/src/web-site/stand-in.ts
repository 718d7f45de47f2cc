// The small web site for tests: adds odd pages, the Brave Search API, failing searches and a record of requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  searchPages,
  sendJson,
  startWebSite as startService,
  type WebSite as WebSiteService,
} from '@parley/demo/services';
import { oddityAt } from './oddities.ts';

export type WebSiteOptions = {
  readonly port?: number;
  /** The token that the Brave stand-in accepts. */
  readonly braveToken?: string;
};

export type WebSite = WebSiteService & {
  /** The requested paths, newest last; bounded. */
  readonly requests: readonly string[];
  /** The next `count` searches are answered with this status. */
  failSearches(status: number, count: number): void;
  [Symbol.asyncDispose](): Promise<void>;
};

const maxRequests = 1_000;

export async function startWebSiteStandIn(options: WebSiteOptions = {}): Promise<WebSite> {
  const { port = 0, braveToken = 'brave-token' } = options;
  const requests: string[] = [];
  let failing = { status: 500, left: 0 };

  const failSearch = (response: ServerResponse, path: string): boolean => {
    if (failing.left === 0 || (path !== '/search' && path !== bravePath)) return false;
    failing = { ...failing, left: failing.left - 1 };
    sendJson(response, failing.status, {}, failing.status === 429 ? { 'retry-after': '7' } : {});
    return true;
  };

  const service = await startService({
    port,
    intercept(request, response, url) {
      if (requests.push(url.pathname + url.search) > maxRequests) requests.shift();
      if (failSearch(response, url.pathname)) return true;
      const answer = url.pathname === bravePath ? searchAsBrave(braveToken) : oddityAt(url.pathname);
      answer?.(request, response, url);
      return answer !== undefined;
    },
  });

  return {
    ...service,
    requests,
    failSearches: (status, count) => {
      failing = { status, left: count };
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
}

const bravePath = '/res/v1/web/search';

const searchAsBrave = (token: string) => (request: IncomingMessage, response: ServerResponse, url: URL) => {
  if (request.headers['x-subscription-token'] !== token) {
    sendJson(response, 401, {
      type: 'ErrorResponse',
      error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 401 },
    });
    return;
  }
  const query = url.searchParams.get('q') ?? '';
  const results = searchPages(query, url.origin).map(({ title, url: found, snippet }) => ({
    type: 'search_result',
    title,
    url: found,
    description: snippet,
  }));
  sendJson(response, 200, {
    type: 'search',
    query: { original: query, more_results_available: false },
    web: { type: 'search', results },
  });
};
