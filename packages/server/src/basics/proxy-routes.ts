// Which proxy a connection uses, from the variables HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, as curl reads them.
import { BlockList, isIP, isIPv6 } from 'node:net';

/** The values of the variables of the same names; see `proxyUrl` for what they may contain. */
export interface ProxySettings {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** For schemes without their own proxy. */
  readonly all?: string | undefined;
  /** NO_PROXY: names with their subdomains, addresses, networks such as 10.0.0.0/8, each with an optional port; or `*`. */
  readonly none?: string | undefined;
}

export interface Proxy {
  /** Without a name and a password. */
  readonly url: URL;
  /** The value of the header `proxy-authorization`. */
  readonly authorization: string | undefined;
}

/** Finds the proxy for an address. Undefined if the connection is direct. */
export function proxyRoutes(settings: ProxySettings): (url: URL) => Proxy | undefined {
  const secure = toProxy(settings.https ?? settings.all);
  const plain = toProxy(settings.http ?? settings.all);
  const isDirect = directHosts(settings.none ?? '');
  return (url) => {
    const proxy = isSecure(url) ? secure : plain;
    return proxy === undefined || isDirect(url) ? undefined : proxy;
  };
}

/** Parses the value of a proxy variable. Undefined if it is not the address of an HTTP proxy, as for SOCKS. */
export function proxyUrl(text: string): URL | undefined {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return undefined;
  const url = new URL(full);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const isEncoded = !/%(?![0-9a-f]{2})/i.test(url.username + url.password);
  return isHttp && isEncoded && url.pathname === '/' ? url : undefined;
}

/** With or without the brackets of an IPv6 address. */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname).replace(/\.$/, '').toLowerCase();
  const version = isIP(host);
  if (version === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function toProxy(text: string | undefined): Proxy | undefined {
  if (text === undefined || text === '') return undefined;
  const url = proxyUrl(text);
  if (url === undefined) throw new Error('This is not the address of an HTTP proxy.');
  const { username, password } = url;
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  return {
    url,
    authorization: username === '' ? undefined : `Basic ${Buffer.from(name).toString('base64')}`,
  };
}

export function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:';
}

function portOf(url: URL): string {
  return url.port || (isSecure(url) ? '443' : '80');
}

/** Without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function directHosts(text: string): (url: URL) => boolean {
  const tests = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(directHost);
  return (url) => {
    const host = bare(url.hostname).replace(/\.$/, '').toLowerCase();
    return isLoopback(host) || tests.some((test) => test(host, portOf(url)));
  };
}

/** An entry that can't be read matches nothing. */
function directHost(entry: string): (host: string, port: string) => boolean {
  if (entry === '*') return () => true;
  const [, address = '', bits] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (isIP(address) !== 0 && Number(bits) <= (family === 'ipv6' ? 128 : 32)) {
    const network = new BlockList();
    network.addSubnet(address, Number(bits), family);
    return (host) => isIP(host) !== 0 && network.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
  }
  const [, named = entry, port] = (isIP(entry) === 0 && /^(.+):(\d+)$/.exec(entry)) || [];
  const name = bare(named)
    .replace(/^\*?\./, '')
    .toLowerCase();
  return (host, wanted) =>
    (port === undefined || port === wanted) &&
    (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)));
}

/** Programs read either spelling, and most of them don't know that loopback is always direct. */
export function proxyVariables({ https, http, all, none }: ProxySettings): Record<string, string> {
  const proxies = { HTTPS_PROXY: https ?? all, HTTP_PROXY: http ?? all };
  const given = Object.entries(proxies).flatMap(([name, text]) => {
    const url = text === undefined ? undefined : proxyUrl(text);
    return url === undefined ? [] : [[name, url.href.replace(/\/$/, '')] as const];
  });
  if (given.length === 0) return {};
  const direct = [none, 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',');
  return Object.fromEntries(
    [...given, ['NO_PROXY', direct] as const].flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  );
}
