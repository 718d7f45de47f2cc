// Checks Host and Origin: the guard against DNS rebinding and foreign pages.
import { isIP } from 'node:net';
import { ParleyError } from '@parley/protocol';

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const wildcards = ['0.0.0.0', '::', ''];

export type HostCheck = (host: string | undefined) => boolean;

/** Compares names, not ports: a rebinding page can't choose the name, and ports are often mapped on purpose. */
export function hostCheck(boundTo: string, allowedHosts: readonly string[]): HostCheck {
  const bound = wildcards.includes(boundTo) ? [] : [isIP(boundTo) === 6 ? `[${boundTo}]` : boundTo];
  const names = new Set([...loopback, ...bound, ...allowedHosts].map((name) => name.toLowerCase()));
  return (host) => {
    const name = hostName(host);
    return name !== undefined && names.has(name);
  };
}

/** Browsers send their page's origin with every unsafe request; programs send none. */
export function isForeignOrigin(
  method: string,
  origin: string | undefined,
  host: string | undefined,
): boolean {
  if (origin === undefined || safeMethods.has(method)) return false;
  const page = parse(origin);
  if (!page || !webSchemes.has(page.protocol)) return true;
  // Ignores our own scheme: behind a proxy that terminates TLS it differs from the page's.
  return page.host !== parse(`${page.protocol}//${host}`)?.host;
}

export const foreignHost = new ParleyError(
  'forbidden',
  'Parley does not accept requests for this host name. If it should, add it to publicHosts (PARLEY_PUBLIC_HOSTS).',
);

export const foreignOrigin = new ParleyError(
  'forbidden',
  'This request comes from a page on another site, which is not allowed.',
);

const webSchemes = new Set(['http:', 'https:']);
/** They change nothing. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function hostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  return parse(`http://${host}`)?.hostname;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
