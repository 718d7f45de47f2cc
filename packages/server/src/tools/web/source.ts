// The tool source `web`: reads pages of the public web and searches it.
import { type Logger, silentLogger } from '../../domain/logger.ts';
import type { ToolSource } from '../../domain/tool.ts';
import { webFetch } from './fetch-tool.ts';
import { createGuardedFetch, type FetchLimits, type GuardedFetchOptions } from './guarded-fetch.ts';
import { createPageReader } from './readable-page.ts';
import { brave, searxng } from './search-services.ts';
import { anthropicSearch, webSearch } from './search-tool.ts';
import { hostAndPort } from './web-address.ts';

/** Which service searches. */
export type SearchChoice =
  | { readonly service: 'anthropic' }
  | { readonly service: 'searxng'; readonly baseUrl: string }
  | { readonly service: 'brave'; readonly apiKey: string; readonly baseUrl: string }
  | { readonly service: 'none' };

const resultLimits = {
  /** Characters of one page of a result. */
  pageChars: 40_000,
  searchResults: 10,
};

export interface WebOptions
  extends Pick<GuardedFetchOptions, 'exceptions' | 'lookup' | 'interfaces' | 'outgoing' | 'userAgent'> {
  readonly search: SearchChoice;
  readonly limits?: Partial<FetchLimits & typeof resultLimits>;
  readonly logger?: Logger;
}

export function createWebTools({ search, logger = silentLogger, ...options }: WebOptions): ToolSource {
  const { pageChars, searchResults } = { ...resultLimits, ...options.limits };
  const http = createGuardedFetch(options);
  const readPage = createPageReader({ logger });
  const fetchTool = webFetch({ http, readPage, pageChars });

  const searchTool = () => {
    switch (search.service) {
      case 'searxng':
        return webSearch(searxng(search.baseUrl, serviceHttp(search.baseUrl)), searchResults);
      case 'brave':
        return webSearch(brave(search, serviceHttp(search.baseUrl)), searchResults);
      case 'anthropic':
      case 'none':
        return undefined;
      default:
        return search satisfies never;
    }
  };

  /** A configured search service may be a machine in the household. Pages may not. */
  const serviceHttp = (baseUrl: string) =>
    createGuardedFetch({ ...options, exceptions: [hostAndPort(new URL(baseUrl))] });

  const ours = searchTool();
  const tools = ours === undefined ? [fetchTool] : [ours, fetchTool];
  return {
    name: 'web',
    tools: () => Promise.resolve(tools),
    serverTools: search.service === 'anthropic' ? [anthropicSearch] : [],
    close: () => Promise.resolve(),
  };
}
