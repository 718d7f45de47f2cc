// Searches the small web site and reports the hits as SearXNG does.
import { type SitePage, sitePages } from './pages.ts';

export type SearchHit = { readonly title: string; readonly url: string; readonly snippet: string };

/** Pages that contain more of the words, or have them in the title, come first. */
export function searchPages(query: string, base: string): readonly SearchHit[] {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(stem);
  return sitePages
    .map((page) => ({ page, score: words.reduce((sum, word) => sum + scoreOf(page, word), 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ page }) => ({ title: page.title, url: base + page.path, snippet: page.summary }));
}

export function asSearxng(query: string, hits: readonly SearchHit[]): object {
  return {
    query,
    number_of_results: hits.length,
    results: hits.map(({ title, url, snippet }, at) => ({
      title,
      url,
      content: snippet,
      engine: 'demo',
      engines: ['demo'],
      category: 'general',
      positions: [at + 1],
      score: 1 / (at + 1),
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  };
}

function scoreOf({ title, summary, body }: SitePage, word: string): number {
  const has = (text: string): boolean => text.toLowerCase().includes(word);
  return (has(title) ? 4 : 0) + (has(summary) ? 2 : 0) + (has(body) ? 1 : 0);
}

/** "tomatoes" finds "tomato". */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(es|s|ing)$/, '') : word;
}
