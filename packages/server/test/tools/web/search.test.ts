// web_search through SearXNG and Brave, each played over real HTTP.
import { describe, expect, it } from 'vitest';
import { WebHarness } from './harness.ts';

describe.each([
  ['SearXNG', undefined],
  ['Brave Search', 'brave-token'],
] as const)('web_search through %s', (name, apiKey) => {
  const start = (key = apiKey) =>
    WebHarness.start((site) => ({
      // The service is reached although the guard would refuse its address for a page.
      exceptions: [],
      search:
        key === undefined
          ? { service: 'searxng', baseUrl: site.url }
          : { service: 'brave', apiKey: key, baseUrl: site.url },
    }));

  it('gives titles, addresses and snippets, marked as untrusted [notes.tools.web-search]', async () => {
    await using web = await start();

    const content = await web.call('web_search', { query: 'when does the mill race begin' });

    expect(content).toMatch(/^What stands between .* untrusted/);
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

  it('says in a sentence what the service said', async () => {
    await using web = await start();

    web.site.failSearches(429, 1);
    expect(await web.refusal('web_search', { query: 'bread' })).toBe(
      `${name} was asked too often. Search again in 7 seconds.`,
    );
    web.site.failSearches(500, 1);
    expect(await web.refusal('web_search', { query: 'bread' })).toBe(
      `${name} could not search (status 500).`,
    );
    web.site.failSearches(403, 1);
    expect(await web.refusal('web_search', { query: 'bread' })).toContain('Check its key and its settings.');
  });

  it('opens no way for pages to the address of the service', async () => {
    await using web = await start();

    expect(await web.fetchRefusal('/odd/json')).toContain('Port');
  });
});

describe('web_search', () => {
  it('refuses a wrong key of Brave in a sentence that does not show it', async () => {
    await using web = await WebHarness.start((site) => ({
      search: { service: 'brave', apiKey: 'wrong-secret', baseUrl: site.url },
    }));

    const sentence = await web.refusal('web_search', { query: 'bread' });

    expect(sentence).toContain('did not let Parley search (status 401)');
    expect(sentence).not.toContain('wrong-secret');
  });

  it('is not offered as a tool of ours where Anthropic searches, or nobody', async () => {
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
