// Opens the connections of guarded-fetch.ts. It resolves the name itself, refuses it if any of its addresses is not public
// or is this machine's own, connects to an address that it has checked, and checks again where the socket is really connected.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, isIPv6, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { isPublicAddress, ownAddresses, type ReadInterfaces } from './public-address.ts';
import { type Exceptions, notPublic, withoutBrackets } from './web-address.ts';

/** Returns all addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface Guard {
  readonly exceptions: Exceptions;
  readonly lookup: Lookup;
  readonly interfaces: ReadInterfaces;
}

export interface GuardedConnectorOptions extends Guard {
  readonly connect: buildConnector.connector;
}

/**
 * All that can be checked if a proxy connects. The proxy resolves the name itself, so it may get other addresses than
 * this machine. A name that can't be resolved here is left to the proxy, because a network with a proxy often has no
 * other name server.
 */
export async function checkBeforeProxy(url: URL, guard: Guard): Promise<void> {
  const host = withoutBrackets(url.hostname);
  const addresses = isIP(host) === 0 ? await guard.lookup(host).catch(() => []) : [host];
  if (!addresses.every(allowedBy(guard, url))) throw notPublic(host);
}

/** How many addresses of one name are tried. */
const maxAttempts = 3;

export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  return (target, report) => {
    openSocket(target, options).then(
      (socket) => report(null, socket),
      (error: unknown) => report(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

export const lookupAll: Lookup = async (hostname) => {
  const answers = await systemLookup(hostname, { all: true });
  return answers.map(({ address }) => address);
};

async function openSocket(
  target: buildConnector.Options,
  { connect, ...guard }: GuardedConnectorOptions,
): Promise<Socket> {
  const host = withoutBrackets(target.hostname);
  const isAllowed = allowedBy(guard, target);
  const addresses = isIP(host) === 0 ? await guard.lookup(host) : [host];
  // An attacker mixes private addresses among public ones so that a second attempt connects inside.
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw notPublic(host);

  const socket = await firstToConnect(connect, target, addresses.slice(0, maxAttempts));
  if (isAllowed(socket.remoteAddress)) return socket;
  socket.destroy();
  throw notPublic(host);
}

function allowedBy(
  { exceptions, interfaces }: Guard,
  target: { readonly hostname: string; readonly port: string; readonly protocol: string },
): (address: string | undefined) => boolean {
  const host = withoutBrackets(target.hostname);
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const isException = exceptions.has(`${target.hostname}:${port}`) || exceptions.has(`[${host}]:${port}`);
  // Read for each connection, because addresses come and go.
  const own = ownAddresses(interfaces);
  return (address) =>
    address !== undefined &&
    (isException || (isPublicAddress(address) && !own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')));
}

async function firstToConnect(
  connect: buildConnector.connector,
  target: buildConnector.Options,
  addresses: readonly string[],
): Promise<Socket> {
  let failure: unknown;
  for (const hostname of addresses) {
    try {
      // `host` and `servername` stay the name, for TLS to check.
      return await new Promise<Socket>((resolve, reject) => {
        connect({ ...target, hostname }, (error, socket) =>
          socket === null ? reject(error ?? new Error('no socket')) : resolve(socket),
        );
      });
    } catch (thrown) {
      failure = thrown;
    }
  }
  throw failure;
}
