// The proxy for connections to other servers. Programs agree on these variables, so there is no PARLEY_ variable for them.
import { z } from 'zod';
import { type ProxySettings, proxyUrl } from '../../basics/proxy-routes.ts';
import { Secret } from '../secret.ts';
import { section, setting } from '../setting.ts';

const hint =
  'Use the address of an HTTP proxy, such as http://proxy.example:3128 or http://name:password@proxy.example:3128.';

/** Each may contain a password. */
const proxyAddress = () =>
  z
    .string()
    .refine((text) => proxyUrl(text) !== undefined, 'expected the address of an HTTP proxy')
    .transform((text) => new Secret(text))
    .optional();

export const proxy = {
  proxy: section({
    https: setting(proxyAddress(), {
      env: 'HTTPS_PROXY',
      alias: 'https_proxy',
      secret: true,
      meaning: 'The HTTP proxy for connections to https addresses.',
      hint,
    }),
    http: setting(proxyAddress(), {
      env: 'HTTP_PROXY',
      alias: 'http_proxy',
      secret: true,
      meaning: 'The HTTP proxy for connections to http addresses.',
      hint,
    }),
    all: setting(
      z
        .string()
        .transform((text) => new Secret(text))
        .optional(),
      {
        env: 'ALL_PROXY',
        alias: 'all_proxy',
        secret: true,
        meaning: 'The HTTP proxy to use if one of these two is not set. SOCKS proxies are not supported.',
        hint,
      },
    ),
    exceptions: setting(z.string().optional(), {
      env: 'NO_PROXY',
      alias: 'no_proxy',
      meaning:
        'What is reached without the proxy, separated by commas: names with their subdomains, addresses, networks such as `10.0.0.0/8`, each with an optional `:port`; `*` for everything. Loopback never uses the proxy.',
    }),
  }),
};

/** The proxies in the form that basics/outgoing.ts takes. */
export function proxySettings({
  https,
  http,
  all,
  exceptions,
}: z.output<(typeof proxy)['proxy']>): ProxySettings {
  const usable = all !== undefined && proxyUrl(all.reveal()) !== undefined;
  return {
    https: https?.reveal(),
    http: http?.reveal(),
    // A rule refuses an unusable one, unless the other two make it irrelevant.
    all: usable ? all.reveal() : undefined,
    none: exceptions,
  };
}
