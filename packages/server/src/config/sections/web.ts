// How assistants use the web.
import { say } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';
import { hostWithPort, httpAddress, secretText } from './values.ts';

export const web = {
  web: section({
    search: setting(z.enum(['anthropic', 'searxng', 'brave', 'none']).optional(), {
      env: 'PARLEY_WEB_SEARCH',
      fallback: say`\`searxng\` or \`brave\` if configured, else \`anthropic\``,
      meaning: say`What searches the web: Anthropic, your own SearXNG, Brave, or nothing.`,
      hint: 'Choose anthropic, searxng, brave or none.',
    }),
    searxng: section({
      url: setting(httpAddress().optional(), {
        env: 'SEARXNG_URL',
        meaning: say`The address of a SearXNG, such as http://searx.local:8080. Its \`json\` format must be enabled.`,
        hint: 'Use an address such as http://127.0.0.1:8080, without a user name or password.',
      }),
    }),
    brave: section({
      apiKey: setting(secretText().optional(), {
        env: 'BRAVE_API_KEY',
        secret: true,
        meaning: say`The key for the Brave Search API.`,
      }),
      url: setting(httpAddress().default('https://api.search.brave.com'), {
        meaning: 'The address of the Brave Search API.',
      }),
    }),
    allowedHosts: setting(z.array(hostWithPort()).default([]), {
      meaning:
        'Servers that `web_fetch` may read although they are not on the public Internet, each as an exact `host:port`. Everybody who talks to the assistant can then read them.',
      hint: 'Use a lowercase host and a port, such as wiki.local:8080.',
    }),
  }),
};
