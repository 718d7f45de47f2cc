// Parses the address of a page and refuses what must not be fetched. The addresses behind the host name are checked later,
// when the connection is opened.
import { isIP } from 'node:net';
import { ParleyError } from '@parley/protocol';
import { isPublicAddress } from './public-address.ts';

/** Exact `host:port` pairs that may be reached although the guard would refuse them. */
export type Exceptions = ReadonlySet<string>;

const usualPorts: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const longestAddress = 2_000;

export function parseWebAddress(text: string, exceptions: Exceptions): URL {
  if (text.length > longestAddress) throw refusal('The address is too long.');
  if (!URL.canParse(text)) {
    throw refusal('This is not a web address. Use a full one, such as https://example.org/page.');
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refusal(`Only http and https addresses can be fetched, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal('Addresses that contain a user name or password are not fetched.');
  }
  if (exceptions.has(hostAndPort(url))) return url;
  if (!usualPorts.has(portOf(url))) {
    throw refusal(`Port ${portOf(url)} is not a usual web port, so it is not fetched.`);
  }
  const host = withoutBrackets(url.hostname);
  if (isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host)) throw notPublic(host);
  return url;
}

export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/** Removes the brackets around an IPv6 address in a URL. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

export function notPublic(host: string): ParleyError {
  return new ParleyError(
    'forbidden',
    `${host} is not on the public Internet. Addresses of this machine and its network are never fetched.`,
  );
}

/** These names mean this machine, whatever a name server answers. */
function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function refusal(message: string): ParleyError {
  return new ParleyError('invalid', message);
}
