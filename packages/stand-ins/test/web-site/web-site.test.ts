// The small web: its pages and its search services.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startWebSiteStandIn } from '../../src/index.ts';

describe('the small web', () => {
  it('has pages that link to each other', async () => {
    await using site = await startWebSiteStandIn();
    const seen = new Set<string>();
    const open = ['/'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path) || /login|contact/.test(path)) continue;
      seen.add(path);
      const response = await fetch(site.url + path);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      const links = (await response.text()).matchAll(/href="([^"]+)"/g);
      open.push(...[...links].map((link) => new URL(link[1] ?? '', response.url).pathname));
    }
    expect(seen.size).toBe(7);
  });

  it('refuses a request without a valid path', async () => {
    await using site = await startWebSiteStandIn();
    const { hostname: host, port } = new URL(site.url);
    const [answer] = (await once(get({ host, port, path: '//' }), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect((await fetch(site.url)).status).toBe(200);
  });

  it('can be searched like SearXNG', async () => {
    await using site = await startWebSiteStandIn();

    const response = await fetch(`${site.url}/search?q=compost&format=json`);

    expect(await response.json()).toMatchObject({
      query: 'compost',
      results: [{ title: 'Compost that works', url: `${site.url}/gardening/compost.html` }, {}, {}],
    });
    expect((await fetch(`${site.url}/search?q=compost`)).status).toBe(403);
  });

  it('can be searched like Brave with the right token', async () => {
    await using site = await startWebSiteStandIn({ braveToken: 'right' });
    const search = (token: string) =>
      fetch(`${site.url}/res/v1/web/search?q=bread`, { headers: { 'x-subscription-token': token } });

    expect((await search('wrong')).status).toBe(401);
    expect(await (await search('right')).json()).toMatchObject({
      type: 'search',
      web: { results: [{ title: 'A rye bread for beginners' }, {}, {}, {}] },
    });
  });

  it('answers anything else with 404', async () => {
    await using site = await startWebSiteStandIn();

    expect((await fetch(`${site.url}/nowhere`)).status).toBe(404);
    expect(site.requests).toEqual(['/nowhere']);
  });
});
