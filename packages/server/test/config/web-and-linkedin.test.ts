// The settings of the web tools and of LinkedIn.
import { describe, expect, it } from 'vitest';
import { formatProblems } from '../../src/config/problem.ts';
import { configFolder, type Given } from './config-folder.ts';

describe('the settings of the web and of LinkedIn', () => {
  it('come from the environment', () => {
    const { config, problems } = configFolder().load({
      environment: {
        SEARXNG_URL: 'http://127.0.0.1:8888',
        BRAVE_API_KEY: 'brave-secret',
        LINKEDIN_CLIENT_ID: 'id',
        LINKEDIN_CLIENT_SECRET: 'linkedin-secret',
        LINKEDIN_API_ROOT: 'http://127.0.0.1:9999',
      },
    });

    expect(problems).toEqual([]);
    expect(config.web.searxng.url).toBe('http://127.0.0.1:8888');
    expect(config.linkedin).toMatchObject({
      clientId: 'id',
      apiRoot: 'http://127.0.0.1:9999',
      confirm: true,
    });
    expect(JSON.stringify(config)).not.toMatch(/brave-secret|linkedin-secret/);
  });

  it.each<[string, Given, string]>([
    ['SearXNG without its address', { environment: { PARLEY_WEB_SEARCH: 'searxng' } }, 'Set SEARXNG_URL.'],
    ['Brave without its key', { environment: { PARLEY_WEB_SEARCH: 'brave' } }, 'Set BRAVE_API_KEY.'],
    ['an unknown search service', { environment: { PARLEY_WEB_SEARCH: 'altavista' } }, 'Choose anthropic'],
    ['an address with a password', { environment: { SEARXNG_URL: 'http://me:pw@searx' } }, 'http or https'],
    ['an exception without a port', { file: { web: { allowedHosts: ['wiki.local'] } } }, 'host:port'],
    [
      'a LinkedIn client id without its secret',
      { environment: { LINKEDIN_CLIENT_ID: 'id' } },
      'Set both LINKEDIN_CLIENT_ID',
    ],
    ['a version that is not a month', { file: { linkedin: { version: 'v2' } } }, 'such as 202606'],
    [
      'a token of a stranger',
      { file: { people: ['petra'], linkedin: { accounts: [{ person: 'jonas', accessToken: 'x' }] } } },
      'a LinkedIn token belongs to jonas',
    ],
  ])('are refused with an explanation: %s', (_, given, sentence) => {
    const { problems } = configFolder().load(given);

    expect(problems).not.toEqual([]);
    expect(formatProblems(problems)).toContain(sentence);
  });
});
