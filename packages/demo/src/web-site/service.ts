// A small web site as a loopback service, with a search service (SearXNG) that knows its pages.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, sendJson } from '../loopback-server.ts';
import { renderIndex, renderPage, sitePages } from './pages.ts';
import { asSearxng, searchPages } from './search.ts';

export type WebSiteOptions = {
  readonly port?: number;
  /** Sees every request first; returns true if it has answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;
};

export type WebSite = {
  readonly url: string;
  /** `host:port`, for lists of addresses that may be reached although they are not public. */
  readonly host: string;
  close(): Promise<void>;
};

export async function startWebSite({ port = 0, intercept }: WebSiteOptions = {}): Promise<WebSite> {
  const server = await listenOnLoopback((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (intercept?.(request, response, url) === true) return;
    if (url.pathname === '/search') return search(response, url);
    const page = sitePages.find(({ path }) => path === url.pathname);
    const html = page === undefined ? undefined : renderPage(page);
    const body = html ?? (url.pathname === '/' ? renderIndex(sitePages) : undefined);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(body ?? '<h1>Not found</h1>');
  }, port);
  return { url: server.url, host: new URL(server.url).host, close: () => server.close() };
}

/** Only JSON is supported. Everything else gets 403, as from a SearXNG where that format is turned off. */
function search(response: ServerResponse, { searchParams, origin }: URL): void {
  const query = searchParams.get('q') ?? '';
  const isJson = searchParams.get('format') === 'json';
  const body = isJson ? asSearxng(query, searchPages(query, origin)) : {};
  sendJson(response, isJson ? 200 : 403, body);
}
