// A small web on loopback: a site with pleasant and with odd pages, and two search services that know the site.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback } from '../loopback-server.ts';
import { oddityAt } from './oddities.ts';
import { renderIndex, renderPage, sitePages } from './pages.ts';
import { asBrave, asSearxng, searchPages } from './search.ts';

export type WebSiteOptions = {
  readonly port?: number;
  /** The token that the Brave stand-in accepts. */
  readonly braveToken?: string;
};

export type WebSite = {
  readonly url: string;
  /** `host:port`, for a list of exceptions. */
  readonly host: string;
  /** Paths that were asked for, the newest last; the last thousand are kept. */
  readonly requests: readonly string[];
  /** The next so many searches are answered with this status. */
  failSearches(status: number, count: number): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const mostRequests = 1_000;

export async function startWebSite(options: WebSiteOptions = {}): Promise<WebSite> {
  const { port = 0, braveToken = 'brave-token' } = options;
  const requests: string[] = [];
  let failing = { status: 500, left: 0 };

  const search = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    if (failing.left > 0) {
      failing = { ...failing, left: failing.left - 1 };
      send(response, failing.status, {}, failing.status === 429 ? { 'retry-after': '7' } : {});
      return;
    }
    const query = url.searchParams.get('q') ?? '';
    const hits = searchPages(sitePages, query, server.url);
    if (url.pathname === '/search') {
      // Without the format, SearXNG answers with a page; where JSON is not switched on, with 403.
      const isJson = url.searchParams.get('format') === 'json';
      send(response, isJson ? 200 : 403, isJson ? asSearxng(query, hits) : {});
      return;
    }
    if (request.headers['x-subscription-token'] !== braveToken) {
      send(response, 401, {
        type: 'ErrorResponse',
        error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 401 },
      });
      return;
    }
    send(response, 200, asBrave(query, hits));
  };

  const server = await listenOnLoopback((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.invalid');
    if (requests.push(url.pathname + url.search) > mostRequests) requests.shift();
    if (url.pathname === '/search' || url.pathname === '/res/v1/web/search')
      return search(request, response, url);
    const oddity = oddityAt(url.pathname);
    if (oddity !== undefined) return oddity(request, response, url);
    const page = sitePages.find(({ path }) => path === url.pathname);
    const html = page === undefined ? undefined : renderPage(page);
    const body = html ?? (url.pathname === '/' ? renderIndex(sitePages) : undefined);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(body ?? '<h1>Not found</h1>');
  }, port);

  return {
    url: server.url,
    host: new URL(server.url).host,
    requests,
    failSearches: (status, count) => {
      failing = { status, left: count };
    },
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
