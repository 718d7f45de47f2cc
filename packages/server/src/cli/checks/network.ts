// Which proxy do connections to other servers use, and can it be reached?
import { connect } from 'node:net';
import { botsOf } from '../../config/bots.ts';
import type { Config } from '../../config/schema.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

export const network: Check = {
  name: 'Network',
  run: async ({ config, outgoing, signal }) => {
    const routes = new Map<string, string[]>();
    for (const { name, url } of destinations(config)) {
      const proxy = outgoing.proxyFor(new URL(url))?.url.href ?? '';
      routes.set(proxy, [...(routes.get(proxy) ?? []), name]);
    }
    return Promise.all([...routes].map(([proxy, names]) => routeOf(proxy, [...new Set(names)], signal)));
  },
};

async function routeOf(proxy: string, names: readonly string[], signal: AbortSignal): Promise<Finding> {
  const list = names.join(', ');
  if (proxy === '') return ok(`without a proxy: ${list}`);
  const url = new URL(proxy);
  return (await answers(url, signal))
    ? ok(`through the proxy ${url.host}: ${list}`)
    : warning(
        `the proxy ${url.host} can't be reached; it is needed for ${list}`,
        'Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or exclude hosts with NO_PROXY.',
      );
}

/** Everything outside this machine that the configuration uses. */
function destinations(config: Config): readonly { readonly name: string; readonly url: string }[] {
  const { demo, anthropic, mcpServers, web, linkedin } = config;
  const urls = [
    ...(demo ? [] : [anthropic.baseUrl]),
    ...botsOf(config).flatMap(({ token, isEnabled, apiRoot }) => (token && isEnabled ? [apiRoot] : [])),
    ...Object.values(mcpServers).flatMap(({ url, disabled }) => (url && !disabled ? [url] : [])),
    ...(linkedin.clientId || linkedin.accounts.length > 0 ? [linkedin.apiRoot] : []),
    ...(web.searxng.url ? [web.searxng.url] : []),
    ...(web.brave.apiKey ? [web.brave.url] : []),
  ];
  return [
    ...urls.map((url) => ({ name: new URL(url).hostname, url })),
    { name: 'https pages', url: 'https://example.org' },
    { name: 'http pages', url: 'http://example.org' },
  ];
}

const longestConnectMs = 5_000;

function answers({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replaceAll(/[[\]]/g, '');
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), signal });
    const settle = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(longestConnectMs, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
