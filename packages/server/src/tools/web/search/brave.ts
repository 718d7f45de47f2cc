// Search through the Brave Search API.
import { z } from 'zod';
import type { SendHttp } from '../../../domain/http.ts';
import { askForJson } from './json-answer.ts';
import type { SearchService } from './search-service.ts';

const Answer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() }),
      ),
    })
    .nullish(),
});

export interface BraveOptions {
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
      const { web } = await askForJson(http, { url: url.href, headers, signal }, this.name, Answer);
      return (web?.results ?? [])
        .slice(0, count)
        .map((result) => ({ title: result.title ?? '', url: result.url, snippet: result.description ?? '' }));
    },
  };
}
