// Search through SearXNG, a meta search engine that people run themselves. Its `json` format must be switched on.
import { z } from 'zod';
import type { SendHttp } from '../../../domain/http.ts';
import { askForJson } from './json-answer.ts';
import type { SearchService } from './search-service.ts';

const Answer = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() })),
});

export function searxng(baseUrl: string, http: SendHttp): SearchService {
  return {
    name: 'SearXNG',
    async search(query, { count, signal }) {
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/search`);
      url.search = new URLSearchParams({ q: query, format: 'json', safesearch: '1' }).toString();
      const { results } = await askForJson(http, { url: url.href, signal }, this.name, Answer);
      return results
        .slice(0, count)
        .map((result) => ({ title: result.title ?? '', url: result.url, snippet: result.content ?? '' }));
    },
  };
}
