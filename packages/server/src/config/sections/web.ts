// How the assistants reach the web.
import { z } from 'zod';
import { isHttpAddress } from '../http-address.ts';
import { Secret } from '../secret.ts';
import { section, setting } from '../setting.ts';

const address = z.string().refine(isHttpAddress, 'expected an http or https address');

export const web = {
  web: section({
    search: setting(z.enum(['anthropic', 'searxng', 'brave', 'none']).optional(), {
      env: 'PARLEY_WEB_SEARCH',
      fallback: '`searxng` or `brave` where one is set up, else `anthropic`',
      meaning: 'Who searches the web: Anthropic on its side, a SearXNG of your own, Brave, or nobody.',
      hint: 'Choose anthropic, searxng, brave or none.',
    }),
    searxng: section({
      url: setting(address.optional(), {
        env: 'SEARXNG_URL',
        meaning:
          'The address of a SearXNG, such as http://searx.local:8080. Its `json` format must be switched on.',
        hint: 'Give an address such as http://127.0.0.1:8080, without user name or password in it.',
      }),
    }),
    brave: section({
      apiKey: setting(
        z
          .string()
          .min(1)
          .transform((value) => new Secret(value))
          .optional(),
        { env: 'BRAVE_API_KEY', secret: true, meaning: 'The key for the Brave Search API.' },
      ),
      url: setting(address.default('https://api.search.brave.com'), {
        meaning: 'The address of the Brave Search API.',
      }),
    }),
    allowedHosts: setting(
      z.array(z.string().regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/, 'expected host:port')).default([]),
      {
        meaning:
          'Places that `web_fetch` may read although they are not on the public Internet, each as an exact `host:port`. Whoever talks to the assistant can then read what stands there.',
        hint: 'Give host and port in lower case, such as wiki.local:8080.',
      },
    ),
  }),
};
