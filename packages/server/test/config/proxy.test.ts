// The proxy for connections to other servers.
import { describe, expect, it } from 'vitest';
import { formatProblems } from '../../src/config/problem.ts';
import { proxySettings } from '../../src/config/sections/proxy.ts';
import { configFolder } from './config-folder.ts';

const load = (environment: Readonly<Record<string, string>>) => configFolder().load({ environment });

describe('the proxy', () => {
  it('comes from the variables of other programs, lowercase first, and is never shown', () => {
    const { config, origins, problems } = load({
      HTTPS_PROXY: 'http://ignored.example',
      https_proxy: 'http://me:sesame@proxy.example:3128',
      HTTP_PROXY: 'proxy.example:3128',
      NO_PROXY: 'a.org, 10.0.0.0/8',
    });

    expect(problems).toEqual([]);
    expect(proxySettings(config.proxy)).toEqual({
      https: 'http://me:sesame@proxy.example:3128',
      http: 'proxy.example:3128',
      all: undefined,
      none: 'a.org, 10.0.0.0/8',
    });
    expect(origins.get('proxy.https')).toEqual({ from: 'environment', name: 'https_proxy' });
    expect(JSON.stringify(config)).not.toContain('sesame');
  });

  it('must be an HTTP proxy, and a wrong value is not repeated', () => {
    const { problems } = load({ HTTPS_PROXY: 'socks5://me:sesame@127.0.0.1:1080' });

    expect(formatProblems(problems)).toContain('expected the address of an HTTP proxy');
    expect(formatProblems(problems)).not.toContain('sesame');
  });

  it('cannot be a SOCKS proxy, unless HTTP proxies come first', () => {
    const socks = { ALL_PROXY: 'socks5://127.0.0.1:1080' };
    const others = { https_proxy: 'http://127.0.0.1:3128', http_proxy: 'http://127.0.0.1:3128' };

    expect(formatProblems(load(socks).problems)).toContain(
      'proxy.all (ALL_PROXY): SOCKS proxies are not supported\n    Set both HTTPS_PROXY and HTTP_PROXY',
    );
    expect(load({ ...socks, ...others }).problems).toEqual([]);
  });
});
