// web_search through SearXNG and Brave, each simulated over real HTTP.
import { describe, expect, it } from 'vitest';
import { WebHarness } from './harness.ts';

describe.each([
  ['SearXNG', undefined],
  ['Brave Search', 'brave-token'],
] as const)('web_search through %s', (name, apiKey) => {
  const start = (key = apiKey) =>
    WebHarness.start((site) => ({
      // The service can be reached although the guard would refuse its address for a page.
      exceptions: [],
      search:
        key === undefined
          ? { service: 'searxng', baseUrl: site.url }
          : { service: 'brave', apiKey: key, baseUrl: site.url },
    }));

  it('returns titles, addresses and snippets, marked as untrusted [notes.tools.web-search]', async () => {
    await using web = await start();

    const content = await web.call('web_search', { query: 'when does the mill race begin' });

    expect(content).toMatch(/^The text between .* untrusted/);
    expect(content).toContain(
      [
        '1. The Willowbrook mill race',
        `   ${web.site.url}/willowbrook/mill-race.html`,
        '   A boat race between the two mills, on the second Sunday in September.',
      ].join('\n'),
    );
  });

  it('says that nothing was found', async () => {
    await using web = await start();

    expect(await web.call('web_search', { query: 'xylophone' })).toBe('The search found nothing.');
  });

  it('turns errors of the service into a sentence', async () => {
    await using web = await start();

    web.site.failSearches(429, 1);
    expect(await web.refusal('web_search', { query: 'bread' })).toBe(
      `${name} received too many requests. Search again in 7 seconds.`,
    );
    web.site.failSearches(500, 1);
    expect(await web.refusal('web_search', { query: 'bread' })).toBe(
      `${name} could not search (status 500).`,
    );
    web.site.failSearches(403, 1);
    expect(await web.refusal('web_search', { query: 'bread' })).toContain('Check its key and its settings.');
  });

  it('does not let pages reach the address of the service', async () => {
    await using web = await start();

    expect(await web.fetchRefusal('/odd/json')).toContain('Port');
  });
});

describe('web_search', () => {
  it('reports a wrong Brave key without showing it', async () => {
    await using web = await WebHarness.start((site) => ({
      search: { service: 'brave', apiKey: 'wrong-secret', baseUrl: site.url },
    }));

    const sentence = await web.refusal('web_search', { query: 'bread' });

    expect(sentence).toContain('refused the search (status 401)');
    expect(sentence).not.toContain('wrong-secret');
  });

  it('is not offered as our own tool when Anthropic searches, or nobody does', async () => {
    await using anthropic = await WebHarness.start(() => ({ search: { service: 'anthropic' } }));
    await using none = await WebHarness.start(() => ({ search: { service: 'none' } }));

    expect((await anthropic.source.tools()).map(({ name }) => name)).toEqual(['web_fetch']);
    expect(anthropic.source.serverTools?.map(({ definition }) => definition)).toEqual([
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    ]);
    expect((await none.source.tools()).map(({ name }) => name)).toEqual(['web_fetch']);
    expect(none.source.serverTools).toEqual([]);
  });
});
